import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/benchmark/random.ts';
import { isLook, levelAt } from '../../../../src/shared/statistics/spending.ts';
import { studentTCdf } from '../../../../src/shared/statistics/student-t.ts';
import { normal } from './worlds.ts';

/** Shares of random walks that some look at `samples` finds beyond its level. */
function crossed(samples: readonly number[], planned: number, isEndedByTime: boolean): number {
  const random = createRandom(11);
  const levels = samples.map((at, index) => {
    const isLast = isEndedByTime && index === samples.length - 1;
    return levelAt(at, { planned, first: 3 }, isLast)(0.05);
  });
  const runs = 20_000;
  let found = 0;
  for (let run = 0; run < runs; run++) {
    let walk = 0;
    let at = 0;
    for (const [index, look] of samples.entries()) {
      for (; at < look; at++) walk += normal(random);
      if (2 * studentTCdf(-Math.abs(walk) / Math.sqrt(look), 1e5) > (levels[index] ?? 0)) continue;
      found++;
      break;
    }
  }
  return found / runs;
}

const from3 = (most: number): number[] => Array.from({ length: most - 2 }, (_, index) => index + 3);

describe('levels of several looks', () => {
  it('are those of the power family', () => {
    // Power family with ρ = 4, five looks: at the first the power itself, at the last next to all of the 5%.
    const looks = { planned: 5, first: 1 };
    expect(levelAt(1, looks, false)(0.05)).toBeCloseTo(0.05 / 5 ** 4, 9);
    const levels = [2, 3, 4, 5].map((at) => levelAt(at, looks, false)(0.05));
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    expect(levels.at(-1)).toBeGreaterThan(0.04);
    expect(levels.at(-1)).toBeLessThan(0.05);
  });

  it.each([
    ['all looks', from3(24), 24, false],
    ['a run that time ends at two thirds of its plan', from3(16), 24, true],
  ])('spend 5% over %s', (_, samples, planned, isEndedByTime) => {
    expect(Math.abs(crossed(samples, planned, isEndedByTime) - 0.05)).toBeLessThan(0.006);
  });

  it('spend no more where a long run looks less often', () => {
    const looks = { planned: 200, first: 3 };
    const samples = from3(200).filter((at) => isLook(at, looks));
    expect(samples.length).toBeLessThanOrEqual(50);
    expect(crossed(samples, 200, false)).toBeLessThan(0.056);
  });

  it('grow with the error probability, and are it for a single look', () => {
    const looks = { planned: 24, first: 3 };
    expect(levelAt(10, looks, false)(0.05)).toBeGreaterThan(levelAt(10, looks, false)(0.01));
    expect(levelAt(3, { planned: 3, first: 3 }, false)(0.05)).toBeCloseTo(0.05, 9);
  });
});

import { describe, expect, it } from 'vitest';
import { StopRule } from '../../../../src/benchmark/run/stop-rule.ts';
import { isInterimCheck, interimChecksOf } from '../../../../src/shared/statistics/claims.ts';
import { planOf } from '../../shared/statistics/runs.ts';

const MINUTE = 60_000;

/** After which round a run ends, and why; each round takes `roundMs`. A ratio of null has no numbers. */
function ends(
  ratios: (number | null)[],
  { spread = 0.02, rounds = 32, minutes = 600, roundMs = MINUTE } = {},
) {
  const stopRule = new StopRule(planOf(ratios.length + 1, rounds, minutes), 0);
  for (let round = 1; round <= rounds; round++) {
    const wave = spread * (round % 2 === 0 ? 1 : -1);
    stopRule.add('s0', round, 1000);
    for (const [index, ratio] of ratios.entries()) {
      if (ratio !== null) stopRule.add(`s${index + 1}`, round, 1000 * ratio * Math.exp(wave));
    }
    const because = stopRule.endsAfter(round, round * roundMs);
    if (because !== undefined) return { round, because };
  }
  return undefined;
}

describe('a run that goes on until it is settled', () => {
  it('ends at the first look at which every comparison is conclusive', () => {
    expect(ends([0.3])).toEqual({ round: 3, because: 'conclusive' });
    expect(ends([0.3, 0.9])).toMatchObject({ because: 'conclusive' });
    expect(ends([0.3, 0.9])?.round).toBeGreaterThan(3);
  });

  it('checks only after the rounds that were set before', () => {
    const { round } = ends([0.85], { spread: 0.05 }) ?? { round: 0 };
    expect(isInterimCheck(round, 32)).toBe(true);
  });

  it('begins no round that could not end within the budget', () => {
    expect(ends([1], { spread: 0.5, minutes: 10 })).toEqual({ round: 10, because: 'budget' });
    expect(ends([1], { spread: 0.5, minutes: 10, roundMs: 4 * MINUTE })).toEqual({
      round: 2,
      because: 'budget',
    });
    expect(ends([1], { spread: 0.5, minutes: 1, roundMs: 4 * MINUTE })).toEqual({
      round: 1,
      because: 'budget',
    });
  });

  it.each([
    ['never has numbers', null],
    ['finished nothing', 0],
  ])('does not wait for a scenario that %s, nor is it ended by that alone', (_, ratio) => {
    expect(ends([0.3, ratio])).toEqual({ round: 3, because: 'conclusive' });
    expect(ends([ratio, ratio], { rounds: 6 })).toBeUndefined();
  });

  it('leaves the last planned round alone: the plan ends there by itself', () => {
    expect(ends([0.3], { rounds: 3 })).toBeUndefined();
  });

  it('has as many interim checks as its rounds allow, and the end', () => {
    expect([1, 3, 4, 10, 32].map(interimChecksOf)).toEqual([1, 1, 2, 3, 5]);
  });
});

describe('a run with a fixed number of rounds', () => {
  it('runs all of them', () => {
    const stopRule = new StopRule(planOf(2, 5), 0);
    for (let round = 1; round <= 5; round++) {
      stopRule.add('s0', round, 1000);
      stopRule.add('s1', round, 100 + round);
      expect(stopRule.endsAfter(round, round * MINUTE)).toBeUndefined();
    }
  });
});

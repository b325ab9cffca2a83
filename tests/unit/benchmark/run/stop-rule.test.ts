import { describe, expect, it } from 'vitest';
import { StopRule } from '../../../../src/benchmark/run/stop-rule.ts';
import { amountAt, sampleOf } from '../../../../src/shared/analysis/samples.ts';
import { planOf } from '../../shared/statistics/runs.ts';

const MINUTE = 60_000;

interface Run {
  spread?: number;
  rounds?: number;
  passes?: number;
  budgetMinutes?: number;
  /** Of a pass, or of a round without passes. */
  sampleMs?: number;
}

/** After which round (and pass) a run ends, and why. A ratio of null has no numbers. */
function ends(
  ratios: (number | null)[],
  { spread = 0.02, rounds = 32, passes, budgetMinutes = 600, sampleMs = MINUTE }: Run = {},
) {
  const plan = planOf(ratios.length + 1, rounds, {
    budgetMinutes,
    ...(passes === undefined ? {} : { passes }),
  });
  const stopRule = new StopRule(plan, 0);
  let samples = 0;
  for (let round = 1; round <= rounds; round++) {
    for (let pass = passes === undefined ? 0 : 1; pass <= (passes ?? 0); pass++) {
      const wave = spread * (++samples % 2 === 0 ? 1 : -1);
      const sample = sampleOf(round, pass);
      stopRule.add('s0', sample, amountAt(1000));
      for (const [index, ratio] of ratios.entries()) {
        if (ratio !== null) stopRule.add(`s${index + 1}`, sample, amountAt(1000 * ratio * Math.exp(wave)));
      }
      const because = stopRule.endsAfter(sample, samples * sampleMs);
      if (because !== undefined) return { round, ...(pass > 0 ? { pass } : {}), because };
    }
  }
  return undefined;
}

describe('a run that goes on until it is settled', () => {
  it('ends at the first look at which every comparison is conclusive', () => {
    expect(ends([0.3])).toEqual({ round: 4, because: 'conclusive' });
    expect(ends([0.3, 0.9])).toMatchObject({ because: 'conclusive' });
    expect(ends([0.3, 0.9])?.round).toBeGreaterThan(4);
  });

  it('begins no round that could not end within the budget', () => {
    expect(ends([1], { spread: 0.5, budgetMinutes: 10 })).toEqual({ round: 10, because: 'budget' });
    const slow = { spread: 0.5, sampleMs: 4 * MINUTE };
    expect(ends([1], { ...slow, budgetMinutes: 10 })).toEqual({ round: 2, because: 'budget' });
    expect(ends([1], { ...slow, budgetMinutes: 1 })).toEqual({ round: 1, because: 'budget' });
  });

  it.each([
    ['never has numbers', null],
    ['finished nothing', 0],
  ])('does not wait for a scenario that %s, nor is it ended by that alone', (_, ratio) => {
    expect(ends([0.3, ratio])).toEqual({ round: 4, because: 'conclusive' });
    expect(ends([ratio, ratio], { rounds: 6 })).toBeUndefined();
  });

  it('leaves the last planned round alone: the plan ends there by itself', () => {
    expect(ends([0.3], { rounds: 3 })).toBeUndefined();
  });

  it('side by side ends after a pass: conclusive, or if no other pass fits', () => {
    const run = { rounds: 3, passes: 8 };
    expect(ends([0.3], run)).toMatchObject({ round: 1, because: 'conclusive' });
    expect(ends([0.3, 1], run)).toMatchObject({ because: 'conclusive' });
    expect(ends([1], { ...run, spread: 0.5, sampleMs: 12_000, budgetMinutes: 2 })).toEqual({
      round: 2,
      pass: 2,
      because: 'budget',
    });
    expect(ends([1], { ...run, spread: 0.5 })).toBeUndefined();
  });
});

describe('a run until it is settled, with several groups', () => {
  const PASSES = 4;
  const plan = { ...planOf(3, 5, { budgetMinutes: 10, passes: PASSES }), groups: [['a'], ['b']] };

  /** Each group's passes of each round, and why the run ended. The first scenario is in both groups. */
  function passesOf(passMs: number, ratios: [number, number]) {
    const stopRule = new StopRule(plan, 0);
    const taken: number[][] = [];
    let now = 0;
    let samples = 0;
    for (let round = 1; round <= 5; round++) {
      taken.push([]);
      let because;
      for (const [group, ratio] of ratios.entries()) {
        stopRule.beginGroup(now, 2 - group);
        let passes = 0;
        do {
          const sample = sampleOf(round, group * PASSES + ++passes);
          const wave = Math.exp(0.02 * (++samples % 2 === 0 ? 1 : -1));
          stopRule.add('s0', sample, amountAt(1000));
          stopRule.add(`s${group + 1}`, sample, amountAt(1000 * ratio * wave));
          now += passMs;
          because = stopRule.endsAfter(sample, now);
        } while (because === undefined && passes < PASSES);
        taken.at(-1)?.push(passes);
      }
      if (because !== undefined) return { taken, because };
    }
    return { taken, because: undefined };
  }

  it('is not over because its first group is settled', () => {
    expect(passesOf(1000, [0.3, 0.3])).toEqual({ taken: [[4, 4]], because: 'conclusive' });
    expect(passesOf(1000, [0.3, 1]).taken.length).toBeGreaterThan(1);
  });

  it('shares its time limit among them', () => {
    expect(passesOf(2 * MINUTE, [1, 1])).toEqual({ taken: [[2, 3]], because: 'budget' });
    // A round takes four fifths of the limit; each group has a pass in what is left.
    expect(passesOf(MINUTE, [1, 1])).toEqual({
      taken: [
        [4, 4],
        [1, 1],
      ],
      because: 'budget',
    });
    expect(passesOf(100 * MINUTE, [1, 1])).toEqual({ taken: [[1, 1]], because: 'budget' });
  });
});

describe('a run with a fixed number of rounds', () => {
  it('runs all of them', () => {
    const stopRule = new StopRule(planOf(2, 5), 0);
    for (let round = 1; round <= 5; round++) {
      stopRule.add('s0', sampleOf(round), amountAt(1000));
      stopRule.add('s1', sampleOf(round), amountAt(100 + round));
      expect(stopRule.endsAfter(sampleOf(round), round * MINUTE)).toBeUndefined();
    }
  });
});

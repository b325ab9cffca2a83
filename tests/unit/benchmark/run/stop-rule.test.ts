import { describe, expect, it } from 'vitest';
import { StopRule } from '../../../../src/benchmark/run/stop-rule.ts';
import { amountAt, sampleOf } from '../../../../src/shared/analysis/samples.ts';
import { plannedPassMs } from '../../../../src/shared/run/planned-time.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { planOf } from '../../shared/statistics/runs.ts';

const MINUTE = 60_000;

interface Run {
  spread?: number;
  rounds?: number;
  budgetMinutes?: number;
  sampleMs?: number;
  /** Further fields of the plan. */
  more?: Partial<Plan>;
}

/** After which round (and pass) a run ends, and why. A ratio of null has no numbers. */
function ends(
  ratios: (number | null)[],
  { spread = 0.02, rounds = 32, budgetMinutes = 600, sampleMs = MINUTE, more = {} }: Run = {},
) {
  const stopRule = new StopRule({ ...planOf(ratios.length + 1, rounds, { budgetMinutes }), ...more });
  for (let round = 1; round <= rounds; round++) {
    addSample(stopRule, ratios, { sample: sampleOf(round), wave: round % 2 === 0 ? spread : -spread });
    const because = stopRule.after(sampleMs);
    if (because !== undefined) return { round, because };
  }
  return undefined;
}

function addSample(
  stopRule: StopRule,
  ratios: (number | null)[],
  { sample, wave }: { sample: number; wave: number },
): void {
  stopRule.add('s0', sample, amountAt(1000));
  for (const [index, ratio] of ratios.entries()) {
    if (ratio !== null) stopRule.add(`s${index + 1}`, sample, amountAt(1000 * ratio * Math.exp(wave)));
  }
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

  it('is none where the number of rounds is fixed', () => {
    expect(ends([0.1], { more: { schedule: planOf(2, 32).schedule } })).toBeUndefined();
  });
});

describe('a run of a single scenario until it is settled', () => {
  /** After which pass it ends, of 40, each with a speed that is off by so much. */
  function endsAfter(spread: number): { pass: number; because: unknown } {
    const passes = 40;
    const plan = planOf(1, 1, { passes: 10 });
    const budgetMinutes = ((passes + 0.1) * plannedPassMs(plan)) / MINUTE;
    const stopRule = new StopRule(planOf(1, 1, { passes: 10, budgetMinutes }));
    for (let pass = 1; ; pass++) {
      stopRule.add('s0', sampleOf(1, pass), amountAt(400 * Math.exp(pass % 2 === 0 ? spread : -spread)));
      const because = stopRule.after(plannedPassMs(plan));
      if (because !== undefined) return { pass, because };
    }
  }

  it('ends when its speed is known to ±5%, after the third pass at the earliest', () => {
    expect(endsAfter(0)).toEqual({ pass: 3, because: 'conclusive' });
    expect(endsAfter(0.1)).toMatchObject({ because: 'conclusive' });
    expect(endsAfter(0.1).pass).toBeGreaterThan(10);
    expect(endsAfter(0.5)).toEqual({ pass: 40, because: 'budget' });
  });
});

describe('a run of a published experiment until it is settled', () => {
  const says = { en: '', 'zh-CN': '' };
  const claim = { says, low: 0.9, high: 0.98, pairs: [{ scenarioId: 's1', referenceId: 's0' }] };

  const endsAfter = (ratios: number[], claims: (typeof claim)[], spread = 0.02) =>
    ends(ratios, { spread, more: { reference: { claims } } as Partial<Plan> });

  it('ends once all that was published is confirmed or contradicted', () => {
    const [held, open] = [
      endsAfter([0.94, 1.01], [claim]),
      endsAfter([0.94, 0.94], [claim, { ...claim, low: 0.94 }]),
    ];
    expect(held).toMatchObject({ because: 'conclusive' });
    expect(open).toBeUndefined();
    expect(endsAfter([0.5, 1.01], [claim])?.round).toBeLessThan(held?.round ?? 0);
  });

  it('decides nothing before the third round', () => {
    expect(endsAfter([0.01, 0.01], [claim], 0)?.round).toBeGreaterThanOrEqual(3);
  });
});

describe('servers that take turns until it is settled', () => {
  interface Side {
    ratio?: number;
    spread?: number;
    /** Planned passes of `PASS_MS`. */
    passes?: number;
    passMs?: number;
    costMs?: number;
    starts?: number;
  }
  const FEWEST = 10;
  const PASS_MS = plannedPassMs(planOf(2, 1, { passes: FEWEST }));

  /** Passes of each start, and why the run ended. */
  function startsOf({ ratio = 1, spread = 0.5, passMs = PASS_MS, ...run }: Side) {
    const { passes = 24, costMs = 10 * PASS_MS, starts = 3 } = run;
    const budgetMinutes = ((passes + 0.1) * PASS_MS) / MINUTE;
    const stopRule = new StopRule(planOf(2, starts, { budgetMinutes, passes: FEWEST }));
    const taken: number[] = [];
    let because: ReturnType<StopRule['after']> = 'again';
    for (let round = 1; because === 'again'; round++) {
      stopRule.begin({ costMs, groupsLeft: 1, isLastRound: round === starts });
      because = undefined;
      for (taken.push(0); because === undefined;) {
        const pass = (taken[round - 1] ?? 0) + 1;
        addSample(stopRule, [ratio], {
          sample: sampleOf(round, pass),
          wave: pass % 2 === 0 ? spread : -spread,
        });
        taken[round - 1] = pass;
        because = stopRule.after(passMs);
      }
    }
    return { taken, because };
  }

  it('end after a pass, the third at the earliest', () => {
    expect(startsOf({ ratio: 0.3, spread: 0.005, passes: 5 })).toEqual({ taken: [3], because: 'conclusive' });
    expect(startsOf({ ratio: 0.3, spread: 0.005, passes: 2 })).toEqual({ taken: [2], because: 'budget' });
  });

  it('start again when another pass says less than another start, unless what is left does not pay', () => {
    const noisy = { ratio: 1.07, spread: 0.2, passes: 19 };
    // √0.01 · 20% / 0.7% is less than the fewest passes, √10 · 20% / 0.7% more than all.
    expect(startsOf({ ...noisy, costMs: PASS_MS / 100 }).taken).toEqual([10, 9]);
    expect(startsOf({ ...noisy, costMs: 10 * PASS_MS }).taken).toEqual([19]);
    expect(startsOf({ ...noisy, costMs: PASS_MS / 100, passes: 14 }).taken).toEqual([14]);
    expect(startsOf({ ...noisy, passes: 24 })).toEqual({ taken: [24], because: 'budget' });
  });

  it('spend the budget on passes, however long starts take, and no more passes than planned', () => {
    expect(startsOf({ starts: 1, costMs: 1e9 }).taken).toEqual([24]);
    expect(startsOf({ starts: 1, passMs: 2 * PASS_MS }).taken).toEqual([12]);
    expect(startsOf({ starts: 1, passMs: PASS_MS / 2 }).taken).toEqual([24]);
  });
});

describe('a run until it is settled, with several groups', () => {
  const FEWEST = 4;
  const grouped = {
    ...planOf(3, 2, { passes: FEWEST }),
    groups: [
      ['server0', 'server1'],
      ['server0', 'server2'],
    ],
  };
  const PASS_MS = plannedPassMs(grouped) / 2;

  /** Each group's passes of each round, and why the run ended. The first scenario is in both groups. */
  function passesOf(passes: number, ratios: [number, number]) {
    const untilConclusive = { budgetMinutes: ((2 * passes + 0.1) * PASS_MS) / MINUTE };
    const stopRule = new StopRule({ ...grouped, schedule: { ...grouped.schedule, untilConclusive } });
    const taken: number[][] = [];
    let because: ReturnType<StopRule['after']> = 'again';
    for (let round = 1; because === 'again'; round++) {
      const own: number[] = [];
      taken.push(own);
      let pass = 0;
      for (const [group, ratio] of ratios.entries()) {
        stopRule.begin({ costMs: 100 * PASS_MS, groupsLeft: 2 - group, isLastRound: round === 2 });
        because = undefined;
        for (own.push(0); because === undefined;) {
          const sample = sampleOf(round, ++pass);
          const wave = Math.exp(pass % 2 === 0 ? 0.02 : -0.02);
          stopRule.add('s0', sample, amountAt(1000));
          stopRule.add(`s${group + 1}`, sample, amountAt(1000 * ratio * wave));
          own[group] = (own[group] ?? 0) + 1;
          because = stopRule.after(PASS_MS);
        }
      }
    }
    return { taken, because };
  }

  it('is not over because its first group is settled', () => {
    expect(passesOf(12, [0.3, 0.3])).toEqual({ taken: [[4, 4]], because: 'conclusive' });
    expect(passesOf(12, [0.3, 1]).taken.length).toBeGreaterThan(1);
  });

  it('shares its time limit among them', () => {
    expect(passesOf(2, [1, 1])).toEqual({ taken: [[2, 2]], because: 'budget' });
    expect(passesOf(12, [1, 1]).taken).toEqual([
      [4, 4],
      [8, 8],
    ]);
  });
});

describe('scenarios of a run of tasks', () => {
  /** Scenarios that are decided after each of some rounds. */
  function decidedAfter(ratios: (number | null)[], rounds: number): string[][] {
    const stopRule = new StopRule(planOf(ratios.length + 1, 8, { budgetMinutes: 600 }));
    return Array.from({ length: rounds }, (_, index) => {
      const sample = sampleOf(index + 1);
      stopRule.add('s0', sample, amountAt(1000));
      for (const [at, ratio] of ratios.entries()) {
        const wave = 0.02 * (index % 2 === 0 ? 1 : -1);
        if (ratio !== null) stopRule.add(`s${at + 1}`, sample, amountAt(1000 * ratio * Math.exp(wave)));
      }
      return stopRule.decided();
    });
  }

  it('are decided once all that is measured on them has a verdict, the baseline never', () => {
    const [first, second, third] = decidedAfter([0.2, 0.97, 5], 3);
    expect([first, second]).toEqual([[], []]);
    expect(third).toEqual(['s1', 's3']);
  });

  it('are measured in three rounds at least, but for tasks of the user’s own', () => {
    const endOf = (task: Plan['task']) => ends([null], { rounds: 8, budgetMinutes: 1, more: { task } });
    expect(endOf({ kind: 'ready' })).toEqual({ round: 3, because: 'budget' });
    expect(endOf({ kind: 'command', limitSeconds: 60 })).toEqual({ round: 1, because: 'budget' });
    expect(endOf(null)).toEqual({ round: 1, because: 'budget' });
  });

  it('are open as long as they have no numbers', () => {
    expect(decidedAfter([0.2, null], 3).at(-1)).toEqual(['s1']);
  });
});

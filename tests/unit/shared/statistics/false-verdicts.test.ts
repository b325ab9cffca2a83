import { describe, expect, it } from 'vitest';
import type { Speeds } from '../../../../src/shared/analysis/samples.ts';
import type { Verdict } from '../../../../src/shared/model/names.ts';
import { createRandom } from '../../../../src/benchmark/random.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import { isDifference } from '../../../../src/shared/statistics/claims.ts';
import { comparedAs, eachWithin, planOf, printHead, printRow, shareOf, untilConclusive } from './runs.ts';
import { HARD_WORLDS, simulate, WORLDS, type World } from './worlds.ts';

/*
 * How often does a run say something false? A run of six comparisons without any difference may name one in
 * 5% of all runs, not in 5% of all comparisons; and looking again and again until something is conclusive
 * must not raise that.
 */

/** Number of runs: the full run tells a share of 4.5% from 5%. */
const RUNS = IS_FULL ? 8000 : 2000;
const ROUNDS = [3, 5, 12];
const SAME = Array.from({ length: 7 }, () => 1);

/** Share of runs with a report that `isFalse` holds for, and share of such comparisons (`each`). */
function shareOfRuns(world: World, truths: number[], rounds: number, isFalse: (verdict: Verdict) => boolean) {
  const random = createRandom(100 + rounds);
  const runs = { together: 0, each: 0 };
  for (let run = 0; run < RUNS; run++) {
    const compared = comparedAs(planOf(truths.length, rounds), simulate(world, truths, rounds, random));
    if (compared.some(({ verdict }) => isFalse(verdict))) runs.together++;
    runs.each += compared.filter(({ verdict }) => isFalse(verdict)).length / compared.length;
  }
  return { together: runs.together / RUNS, each: runs.each / RUNS };
}

describe('false differences, six comparisons of equals', () => {
  printHead(
    `Runs of six equals that name a difference, ${RUNS} each`,
    ROUNDS.map((one) => `n = ${one}`),
  );

  eachWithin(
    'at most one run of twenty with %s',
    sampled(WORLDS, 4),
    (world) => ROUNDS.map((rounds) => shareOfRuns(world, SAME, rounds, isDifference).together),
    [0, 0.05],
  );
  eachWithin(
    'are known with %s',
    sampled(HARD_WORLDS, 4),
    (world) => ROUNDS.map((rounds) => shareOfRuns(world, SAME, rounds, isDifference).together),
    [0, 0.15],
  );
});

describe('false ties, six comparisons that differ by just more than the zone', () => {
  const truths = [1, ...Array.from({ length: 6 }, () => 1 / 1.0501)];

  it.each([3, 5, 12])('at most one comparison of twenty with %d rounds', (rounds) => {
    const steady: World = {
      name: 'steady: 0.5 % noise of each trial',
      run: (random) => (place) => 0.1 * (WORLDS[0]?.run(random, rounds, 7)(place) ?? 0),
    };
    const { each } = shareOfRuns(steady, truths, rounds, (verdict) => verdict === 'same');
    printRow(`called the same although 5.01 % slower, n = ${rounds}`, [each]);
    expect(each).toBeLessThanOrEqual(0.05);
  });
});

describe('going on until it is settled', () => {
  const MOST = 32;
  const SHOWN = IS_FULL ? 800 : 300;

  /** Rounds up to the one after which a run ends, and its last word. */
  function settle(rates: Speeds, scenarios: number): { rounds: number; verdicts: Verdict[] } {
    const plan = planOf(scenarios, MOST, { budgetMinutes: 10_000 });
    const seen = untilConclusive(plan, rates);
    return {
      rounds: seen.get('s0')?.size ?? 0,
      verdicts: comparedAs(plan, seen).map(({ verdict }) => verdict),
    };
  }

  const alarms = (world: World): number => {
    const random = createRandom(7);
    return shareOf(SHOWN, () =>
      settle(simulate(world, [1, 1, 1], MOST, random), 3).verdicts.some(isDifference),
    );
  };
  eachWithin(
    'raises false alarms in at most one run of twenty with %s',
    sampled(WORLDS, 4),
    (world) => [alarms(world)],
    [0, 0.05],
  );

  it('ends early where the difference is large, and goes on where it is small', () => {
    const random = createRandom(9);
    const quiet = WORLDS[0];
    if (quiet === undefined) throw new Error('no world');
    const mean = (truths: number[]): number => {
      let sum = 0;
      for (let run = 0; run < 100; run++)
        sum += settle(simulate(quiet, truths, MOST, random), truths.length).rounds;
      return sum / 100;
    };
    const [large, middle, none] = [mean([1, 0.3]), mean([1, 0.8]), mean([1, 1])];
    process.stdout.write(
      `mean rounds until conclusive: 0.3 times ${large.toFixed(1)}, 0.8 times ${middle.toFixed(1)}, equal ${none.toFixed(1)}\n`,
    );
    expect(large).toBeLessThan(5);
    expect(middle).toBeGreaterThan(large);
    expect(none).toBeGreaterThan(middle);
  });
});

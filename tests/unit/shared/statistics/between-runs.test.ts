import { describe } from 'vitest';
import { createRandom, type Random } from '../../../../src/benchmark/random.ts';
import { claimsOf } from '../../../../src/shared/statistics/claims.ts';
import { logDifference, type LogMean } from '../../../../src/shared/statistics/paired-ratio.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import { studentEstimate } from '../../../../src/shared/statistics/estimate.ts';
import { comparedAs, eachWithin, isNamedDifference, planOf, printHead, shareOf } from './runs.ts';
import { simulate, WORLDS, type World } from './worlds.ts';

/*
 * Two runs on two days: does the interval of the ratio of their ratios hold the truth? The second machine is half as fast, and
 * its scenario lost a fifth against its own baseline.
 */

const RUNS = IS_FULL ? 2000 : 800;
const ROUNDS: [first: number, second: number][] = [
  [3, 3],
  [5, 5],
  [3, 12],
  [12, 12],
];
const TRUTHS = [1, 0.7];
const LOST = 0.8;

/** The mean log ratio of each scenario of a run to its baseline. */
function ratios(world: World, truths: number[], rounds: number, random: Random): LogMean[] {
  const rates = simulate(world, truths, rounds, random);
  return comparedAs(planOf(truths.length, rounds), rates).map(({ ratio }) => {
    if (ratio === null || ratio.standardError === null)
      throw new Error('a simulated run has three rounds or more');
    const { value, standardError, degrees } = ratio;
    return { mean: Math.log(value), standardError, degrees };
  });
}

function coverage(world: World, [first, second]: [number, number]): number {
  const random = createRandom(100 * first + second);
  return shareOf(RUNS, () => {
    const [from] = ratios(world, TRUTHS, first, random);
    const [to] = ratios(world, [0.5, 0.5 * 0.7 * LOST], second, random);
    if (from === undefined || to === undefined)
      throw new Error('a scenario beside the baseline was simulated');
    const { low, high } = logDifference(from, to, 0.95);
    return low <= LOST && high >= LOST;
  });
}

describe('coverage of the 95 % interval between runs', () => {
  printHead(
    `Coverage between two runs, ${RUNS} each`,
    ROUNDS.map(([first, second]) => `${first}, ${second}`),
  );

  eachWithin(
    'is at least 0.93 with %s',
    sampled(WORLDS, 4),
    (world) => ROUNDS.map((rounds) => coverage(world, rounds)),
    [0.93, 1],
  );
});

/** The share of pairs of runs of six equals in which any change is named that is not there. */
function falseAlarms(world: World, [first, second]: [number, number]): number {
  const random = createRandom(100 * first + second);
  const equals = Array.from({ length: 7 }, () => 1);
  return shareOf(RUNS, () => {
    const from = ratios(world, equals, first, random);
    const changes = ratios(world, equals, second, random).map((to, index) =>
      logDifference(from[index] ?? to, to, 0.95),
    );
    const claims = claimsOf(
      changes.map((one) => ({
        estimate: studentEstimate({ ...one, samples: first, pairedRounds: first }),
        margin: 0.05,
      })),
      { alpha: 0.05 },
    );
    return claims.some(isNamedDifference);
  });
}

describe('comparisons of two runs of six equals', () => {
  printHead(
    'Pairs of runs that name a change',
    ROUNDS.map(([first, second]) => `${first}, ${second}`),
  );

  eachWithin(
    'name a change in at most one of twenty, %s',
    sampled(WORLDS, 4),
    (world) => ROUNDS.map((rounds) => falseAlarms(world, rounds)),
    [0, 0.06],
  );
});

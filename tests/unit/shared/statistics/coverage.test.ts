import { describe } from 'vitest';
import { createRandom } from '../../../../src/benchmark/random.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import { comparedAs, eachWithin, planOf, printHead } from './runs.ts';
import { HARD_WORLDS, simulate, WORLDS, type World } from './worlds.ts';

/*
 * Does a "95% interval" hold the truth in 95% of all runs? Simulated on machines that disturb in different ways, with the
 * code that makes the verdicts. `npm run test:statistics` prints the tables.
 */

const RUNS = IS_FULL ? 6000 : 1000;
const FEW = [3, 4];
const MORE = [5, 8, 12, 30];
const TRUTHS = [1, 0.7, 0.7, 0.7];

function coverage(world: World, rounds: number): number {
  const random = createRandom(rounds);
  let held = 0;
  let intervals = 0;
  for (let run = 0; run < RUNS; run++) {
    const rates = simulate(world, TRUTHS, rounds, random);
    for (const { ratio } of comparedAs(planOf(TRUTHS.length, rounds), rates)) {
      intervals++;
      if ((ratio?.low ?? 1) <= 0.7 && (ratio?.high ?? 0) >= 0.7) held++;
    }
  }
  return held / intervals;
}

describe('coverage of the 95 % interval', () => {
  printHead(
    `Coverage of 95 % intervals, ${3 * RUNS} each`,
    [...FEW, ...MORE].map((one) => `n = ${one}`),
  );

  const sharesOf =
    (all: readonly number[]) =>
    (world: World): number[] =>
      all.map((rounds) => coverage(world, rounds));
  // In few rounds, the assumed differences of servers add no more degrees of freedom than the rounds have.
  eachWithin('is from 0.93 to 0.99 in few rounds with %s', sampled(WORLDS, 4), sharesOf(FEW), [0.93, 0.99]);
  eachWithin('is from 0.93 to 0.975 with %s', sampled(WORLDS, 4), sharesOf(MORE), [0.93, 0.975]);
  eachWithin('is known with %s', sampled(HARD_WORLDS, 4), sharesOf([...FEW, ...MORE]), [0.88, 0.99]);
});

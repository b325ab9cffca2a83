import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/shared/random.ts';
import { logDifference, logMean } from '../../../../src/shared/statistics/log-difference.ts';
import { printHead, printRow } from './runs.ts';
import { simulate, WORLDS, type World } from './worlds.ts';

/*
 * Two runs on two days: does the interval of the ratio of their ratios hold the truth? The second machine is half as fast, and
 * its scenario lost a fifth against its own baseline.
 */

const RUNS = 2000;
const ROUNDS: [first: number, second: number][] = [
  [3, 3],
  [5, 5],
  [3, 12],
  [12, 12],
];
const TRUTHS = [1, 0.7];
const LOST = 0.8;

/** The round's ratios of one run. */
function ratios(world: World, truths: number[], rounds: number, random: () => number): number[] {
  const rates = simulate(world, truths, rounds, random);
  return [...(rates.get('s1') ?? [])].map(([round, rate]) => rate / (rates.get('s0')?.get(round) ?? 1));
}

function coverage(world: World, [first, second]: [number, number]): number {
  const random = createRandom(100 * first + second);
  let held = 0;
  for (let run = 0; run < RUNS; run++) {
    const from = logMean(ratios(world, TRUTHS, first, random));
    const to = logMean(ratios(world, [0.5, 0.5 * 0.7 * LOST], second, random));
    if (from === null || to === null) throw new Error('a simulated run has two rounds or more');
    const { low, high } = logDifference(from, to, 0.95);
    if (low <= LOST && high >= LOST) held++;
  }
  return held / RUNS;
}

describe('coverage of the 95 % interval between runs', () => {
  printHead(
    `Coverage between two runs, ${RUNS} each`,
    ROUNDS.map(([first, second]) => `${first}, ${second}`),
  );

  it.each(WORLDS.map((world) => [world.name, world] as const))('is at least 0.93 with %s', (name, world) => {
    const shares = ROUNDS.map((rounds) => coverage(world, rounds));
    printRow(name, shares);
    for (const [index, share] of shares.entries()) {
      expect(share, String(ROUNDS[index])).toBeGreaterThanOrEqual(0.93);
    }
  });
});

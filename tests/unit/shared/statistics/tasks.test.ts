import { describe, expect, it } from 'vitest';
import { StopRule } from '../../../../src/benchmark/run/stop-rule.ts';
import { createRandom, type Random } from '../../../../src/benchmark/random.ts';
import { sampleOf, type Speeds } from '../../../../src/shared/analysis/samples.ts';
import type { EstimatedEffect } from '../../../../src/shared/analysis/effects.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import { eachWithin, effectsIn, isNamedDifference, planOf, printHead, printRow, shareOf } from './runs.ts';
import { normal, simulate, type World } from './worlds.ts';

/*
 * Runs of tasks until conclusive, from which each scenario drops out once it is decided: do they say something false,
 * and do their intervals hold the truth?
 */

const RUNS = IS_FULL ? 3000 : 500;
const ROUNDS = 8;

const noisy = (name: string, of: (random: Random, scenario: number) => number): World => ({
  name,
  run:
    (random) =>
    ({ scenario }) =>
      of(random, scenario),
});
const spike = (random: Random): number => (random() < 0.05 ? -Math.log(4) : 0);
const WORLDS = [
  noisy('5 % noise', (random) => 0.05 * normal(random)),
  noisy('5 % of tasks take four times as long', (random) => 0.04 * normal(random) + spike(random)),
  noisy(
    '5 % of the baseline’s take four times as long',
    (random, scenario) => 0.04 * normal(random) + (scenario === 0 ? spike(random) : 0),
  ),
  noisy('exponential delays', (random) => -Math.log(1 - 0.2 * Math.log(1 - random()))),
];

/** The effects of a run that leaves out what it has decided. */
function effectsOfRun(world: World, truths: readonly number[], random: Random): EstimatedEffect[] {
  const plan = {
    ...planOf(truths.length, ROUNDS, { budgetMinutes: 600 }),
    task: { kind: 'ready' } as const,
  };
  const all = simulate(world, truths, ROUNDS, random);
  const stopRule = new StopRule(plan);
  const seen = new Map([...all.keys()].map((id) => [id, new Map()]));
  const decided = new Set<string>();
  for (let round = 1; round <= ROUNDS; round++) {
    const sample = sampleOf(round);
    for (const [id, own] of all) {
      const amount = own.get(sample);
      if (decided.has(id) || amount === undefined) continue;
      seen.get(id)?.set(sample, amount);
      stopRule.add(id, sample, amount);
    }
    if (stopRule.after(0) !== undefined) break;
    for (const id of stopRule.decided()) decided.add(id);
  }
  return effectsIn(plan, seen as Speeds);
}

function shareOfRuns(
  world: World,
  truths: readonly number[],
  counts: (effects: EstimatedEffect[]) => boolean,
): number {
  const random = createRandom(77);
  return shareOf(RUNS, () => counts(effectsOfRun(world, truths, random)));
}

describe('a run of tasks whose decided scenarios drop out', () => {
  printHead(`Runs of tasks, ${RUNS} each`, ['false', 'outside']);

  eachWithin(
    'names a difference of equals, or has an interval without the truth, in at most one of twenty with %s',
    sampled(WORLDS, 2),
    (world) => [
      // Two that are decided at once, and three equals.
      shareOfRuns(world, [1, 4, 0.25, 1, 1, 1], (effects) => effects.slice(2).some(isNamedDifference)),
      shareOfRuns(world, [1, 1.35], ([effect]) => {
        const { low, high } = effect?.ratio ?? {};
        return (low ?? 0) > 1.35 || (high ?? Infinity) < 1.35;
      }),
    ],
    [0, 0.06],
  );

  it('measures large differences in half of the rounds', () => {
    const random = createRandom(78);
    const [quiet] = WORLDS;
    if (quiet === undefined) throw new Error('no world');
    let rounds = 0;
    for (let run = 0; run < 100; run++) {
      const [large] = effectsOfRun(quiet, [1, 4, 1.1], random);
      expect(large?.verdict).toBe('faster');
      rounds += large?.ratio?.samples ?? 0;
    }
    printRow('rounds of a difference of 4×, of all', [rounds / 100 / ROUNDS]);
    expect(rounds / 100).toBeLessThan(ROUNDS / 2);
  });
});

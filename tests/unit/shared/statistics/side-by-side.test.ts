import { plannedPassMs } from '../../../../src/shared/run/planned-time.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../src/benchmark/random.ts';
import type { EstimatedEffect } from '../../../../src/shared/analysis/effects.ts';
import { roundOf, type Speeds } from '../../../../src/shared/analysis/samples.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import {
  eachWithin,
  effectsIn,
  isNamedDifference,
  planOf,
  printHead,
  printRow,
  serverOf,
  untilConclusive,
} from './runs.ts';
import { normal, simulate, starts, WORLDS, type World } from './worlds.ts';

/*
 * Servers that take turns: 5 starts of 4 passes, a grid of three storages (a server each) and three paths. Do intervals hold the
 * truth, is what runs say true, and how soon do they say it?
 */

const RUNS = IS_FULL ? 2000 : 120;
const ROUNDS = 5;
const PASSES = 4;
const PATHS = ['published-port', 'user-bridge', 'host-network'] as const;
const EQUAL = [1, 1, 1];
const ownServer = (scenario: number): string => serverOf(scenario, PATHS);

const STARTS = sampled([0, 0.01, 0.02, 0.03], 3).map((deviation) => starts(deviation, 0.05, ownServer));
const slow = Math.log(0.75);
/** A world in which trials soon after the start of their round are a quarter slower. */
const COLD: World = {
  name: 'the first slices after a start are 25 % slower',
  run:
    (random) =>
    ({ turn }) =>
      0.05 * normal(random) + (turn < 5 ? slow : 0),
};
const ALL = [...STARTS, COLD, ...sampled(WORLDS.slice(1), 4)];

interface Grid {
  storages?: readonly number[];
  paths?: readonly number[];
  isKept?: (sample: number, random: Random) => boolean;
}

function runOf(world: World, { storages = EQUAL, paths = EQUAL, isKept }: Grid, random: Random): Speeds {
  const truths = storages.flatMap((storage) => paths.map((path) => storage * path));
  const rates = simulate(world, truths, ROUNDS, random, { passes: PASSES, serverOf: ownServer });
  if (isKept === undefined) return rates;
  return new Map(
    [...rates].map(([id, all]) => [id, new Map([...all].filter(([sample]) => isKept(sample, random)))]),
  );
}

/** Plans with one look at the end, and with one after each pass. */
const ONE_LOOK = planOf(3, ROUNDS, { paths: PATHS, passes: PASSES });
const LOOKS = planOf(3, ROUNDS, {
  paths: PATHS,
  passes: PASSES,
  budgetMinutes: ((ROUNDS * PASSES + 0.5) * plannedPassMs(ONE_LOOK)) / 60_000,
});

function truthOf({ storages = EQUAL, paths = EQUAL }: Grid, { factor, level }: EstimatedEffect): number {
  const index = factor === 'storage' ? Number(level.at(-1)) : PATHS.findIndex((one) => one === level);
  return (factor === 'storage' ? storages : paths)[index] ?? 1;
}

const holds = ({ low, high }: { low: number | null; high: number | null }, truth: number): boolean =>
  (low ?? 0) <= truth && (high ?? Infinity) >= truth;

function effectsOfRuns(
  world: World,
  grid: Grid,
  plan = LOOKS,
  runs = RUNS,
): { effects: EstimatedEffect[]; seen: Speeds }[] {
  const random = createRandom(90);
  return Array.from({ length: runs }, () => {
    const rates = runOf(world, grid, random);
    const seen = plan === LOOKS ? untilConclusive(plan, rates) : rates;
    return { effects: effectsIn(plan, seen), seen };
  });
}

function shareOf<T>(all: readonly T[], isCounted: (one: T) => boolean): number {
  return all.filter(isCounted).length / all.length;
}

const isNamed = ({ named }: EstimatedEffect): boolean => named !== null;

describe('coverage of the 95 % interval of passes', () => {
  printHead(`Coverage side by side, ${4 * RUNS} intervals each`, ['one look']);
  const TRUE: Grid = { storages: [1, 0.8, 0.95], paths: [1, 1.3, 1.6] };

  const coverage = (world: World, grid: Grid): number =>
    shareOf(
      effectsOfRuns(world, grid, ONE_LOOK).flatMap(({ effects }) => effects),
      (one) => one.ratio !== null && holds(one.ratio, truthOf(grid, one)),
    );
  // Intervals are wider than needed if starts differ by less than assumed.
  eachWithin('is at least 0.92 with %s', ALL, (world) => [coverage(world, TRUE)], [0.92, 1]);
  eachWithin(
    'is at least 0.92 with %s',
    [
      { name: 'a twentieth of the slices missing', isKept: (_: number, random: Random) => random() > 0.05 },
      {
        name: 'rounds of 4, 4, 4, 4, and 1 passes',
        isKept: (sample: number) => roundOf(sample) < 5 || sample % 10 < 2,
      },
    ].map((one) => ({ ...TRUE, ...one })),
    (grid) => STARTS.map((world) => coverage(world, grid)),
    [0.92, 1],
  );
});

describe('what runs side by side say', () => {
  printHead(`Runs of equals until conclusive that name a difference, ${RUNS} each`, ['share']);

  eachWithin(
    'is a false difference in at most one run of twenty with %s',
    ALL,
    (world) => [shareOf(effectsOfRuns(world, {}), ({ effects }) => effects.some(isNamedDifference))],
    [0, 0.05],
  );

  eachWithin(
    'is a false tie in at most one effect of twenty with %s',
    [0, 0.03].map((deviation) => starts(deviation, 0.03, ownServer)),
    (world) => {
      const border = { storages: [1, 1.1001, 1.1001], paths: [1, 1 / 1.0501, 1 / 1.0501] };
      const runs = effectsOfRuns(world, border);
      return [0, 1, 2, 3].map((index) => shareOf(runs, ({ effects }) => effects[index]?.verdict === 'same'));
    },
    [0, 0.05],
  );

  eachWithin(
    'has named intervals that hold the truth in at least nine of ten with %s',
    STARTS,
    (world) => {
      const grid = { storages: [1, 0.85, 0.93], paths: [1, 1.1, 1.3] };
      const named = effectsOfRuns(world, grid).flatMap(({ effects }) => effects.filter(isNamed));
      return [shareOf(named, (one) => one.named !== null && holds(one.named, truthOf(grid, one)))];
    },
    [0.9, 1],
  );

  it('is right on average whatever the first slices after a start are', () => {
    const grid = { storages: [1, 0.8, 1], paths: [1, 1.3, 1] };
    const errors = effectsOfRuns(COLD, grid, ONE_LOOK).map(({ effects }) =>
      effects.map((one) => Math.log((one.ratio?.value ?? 0) / truthOf(grid, one))),
    );
    for (const index of [0, 1, 2, 3]) {
      const mean = errors.reduce((sum, own) => sum + (own[index] ?? NaN), 0) / errors.length;
      expect(Math.abs(mean)).toBeLessThan(0.01);
    }
  });

  it('is a verdict on every effect in most runs of an idle machine, soon if effects are large', () => {
    const idle = starts(0.01, 0.04, ownServer);
    const passes = (grid: Grid): number[] =>
      effectsOfRuns(idle, grid).map(({ effects, seen }) =>
        effects.every(({ verdict }) => verdict !== 'inconclusive') ? (seen.get('s0')?.size ?? 0) : Infinity,
      );
    const small = passes({ storages: [1, 1, 1.01], paths: [1, 1.3, 1.5] });
    const large = passes({ storages: [1, 0.6, 0.7], paths: [1, 1.4, 1.6] });
    const middle = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
    printRow('every effect has a verdict: two ties, large effects', [
      shareOf(small, Number.isFinite),
      shareOf(large, Number.isFinite),
    ]);
    process.stdout.write(`after passes, median: ${middle(small)}, ${middle(large)}\n`);
    expect(shareOf(small, Number.isFinite)).toBeGreaterThan(0.8);
    expect(middle(large)).toBeLessThan(8);
  });
});

import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../src/benchmark/random.ts';
import type { Speeds } from '../../../../src/shared/analysis/samples.ts';
import type { EstimatedEffect } from '../../../../src/shared/analysis/effects.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import {
  eachWithin,
  effectsIn,
  isNamedDifference,
  planOf,
  printHead,
  printRow,
  serverOf,
  shareOf,
  untilConclusive,
} from './runs.ts';
import { simulate, starts, WORLDS, type World } from './worlds.ts';

/*
 * A grid of three storage types and three network paths answers two questions. Do the intervals of its effects hold the
 * truth, do its runs say something false, and does it know when one effect depends on the other factor?
 */

/** Number of runs: the full run tells a share of 4.5% from 5%, the gate one of 9%. */
const RUNS = IS_FULL ? 4000 : 500;
const ROUNDS = IS_FULL ? [3, 6, 12] : [3, 6];
const PATHS = ['published-port', 'user-bridge', 'host-network'] as const;
const STORAGE = [1, 0.8, 0.95];
const PATH = [1, 1.3, 1.6];

const STARTS = starts(0.07, 0.03, (scenario) => serverOf(scenario, PATHS));
const ALL = [...sampled(WORLDS, 4), STARTS];

interface Grid {
  /** Factor by storage and path. */
  truth: (storage: number, path: number) => number;
  /** Share of trials without numbers. */
  missing?: number;
}

const product = (storage: number, path: number): number => (STORAGE[storage] ?? 1) * (PATH[path] ?? 1);
const equal = (): number => 1;
/** The second storage type is slower on the host network only. */
const crossing = (storage: number, path: number): number =>
  product(storage, path) * (storage === 1 && path === 2 ? 0.7 : 1);

function runOf(world: World, { truth, missing = 0 }: Grid, rounds: number, random: Random): Speeds {
  const truths = STORAGE.flatMap((_, storage) => PATH.map((__, path) => truth(storage, path)));
  const rates = simulate(world, truths, rounds, random, {
    serverOf: (scenario) => serverOf(scenario, PATHS),
  });
  if (missing === 0) return rates;
  return new Map([...rates].map(([id, all]) => [id, new Map([...all].filter(() => random() >= missing))]));
}

function gridPlan(rounds: number, budgetMinutes?: number) {
  return planOf(STORAGE.length, rounds, {
    ...(budgetMinutes === undefined ? {} : { budgetMinutes }),
    paths: PATHS,
  });
}

/** Geometric mean of the level's factors over those of the reference, over the combinations that were used. */
function truthOf({ truth }: Grid, { pairs }: EstimatedEffect): number {
  const cell = (id: string): number => {
    const index = Number(id.slice(1));
    return truth(Math.floor(index / PATHS.length), index % PATHS.length);
  };
  const logs = pairs.map(({ scenarioId, referenceId }) => Math.log(cell(scenarioId) / cell(referenceId)));
  return Math.exp(logs.reduce((sum, one) => sum + one, 0) / logs.length);
}

function coverage(world: World, grid: Grid, rounds: number): number {
  const random = createRandom(50 + rounds);
  let held = 0;
  let intervals = 0;
  for (let run = 0; run < RUNS; run++) {
    for (const effect of effectsIn(gridPlan(rounds), runOf(world, grid, rounds, random))) {
      const { low, high } = effect.ratio ?? { low: null, high: null };
      if (low === null || high === null) continue;
      intervals++;
      const truth = truthOf(grid, effect);
      if (low <= truth && high >= truth) held++;
    }
  }
  return held / intervals;
}

function shareOfRuns(
  world: World,
  grid: Grid,
  rounds: number,
  isCounted: (effects: EstimatedEffect[]) => boolean,
): number {
  const random = createRandom(60 + rounds);
  const isBrief = isCounted === namesDifference;
  return shareOf(RUNS, () =>
    isCounted(effectsIn(gridPlan(rounds), runOf(world, grid, rounds, random), isBrief)),
  );
}

const namesDifference = (effects: EstimatedEffect[]): boolean => effects.some(isNamedDifference);
const namesDependence = (effects: EstimatedEffect[]): boolean =>
  effects.some(({ dependsOn }) => dependsOn !== null);

describe('coverage of the 95 % interval of an effect', () => {
  printHead(
    `Coverage of effects, ${4 * RUNS} intervals each`,
    ROUNDS.map((one) => `n = ${one}`),
  );

  eachWithin(
    'is from 0.93 to 0.97 with %s',
    ALL,
    (world) => ROUNDS.map((rounds) => coverage(world, { truth: product }, rounds)),
    [0.93, 0.97],
  );
  eachWithin(
    'is from 0.93 to 0.985 with %s',
    [
      { name: 'a tenth of the trials missing', truth: product, missing: 0.1 },
      { name: 'an effect that depends on the other factor', truth: crossing },
    ],
    // An effect that depends on another factor partly looks like servers that differ.
    (grid) => ROUNDS.map((rounds) => coverage(STARTS, grid, rounds)),
    [0.93, 0.985],
  );
});

describe('false effects', () => {
  printHead(
    `Runs of a grid of nine equals that name an effect, ${RUNS} each`,
    ROUNDS.map((one) => `n = ${one}`),
  );

  eachWithin(
    'are in at most one run of twenty with %s',
    ALL,
    (world) => ROUNDS.map((rounds) => shareOfRuns(world, { truth: equal }, rounds, namesDifference)),
    [0, 0.05],
  );
  eachWithin(
    'that depend on the other factor are as rare with %s',
    ALL,
    (world) => ROUNDS.map((rounds) => shareOfRuns(world, { truth: product }, rounds, namesDependence)),
    [0, 0.05],
  );
});

describe('an effect that depends on the other factor', () => {
  it('is found, and told for each level', () => {
    const isFound = (effects: EstimatedEffect[]): boolean => {
      const one = effects.find(({ level }) => level === 'storage1');
      return one?.dependsOn === 'path' && one.at.length === PATHS.length;
    };
    const shares = ROUNDS.map((rounds) => shareOfRuns(STARTS, { truth: crossing }, rounds, isFound));
    printRow('dependence of 30 % found', shares);
    expect(shares.at(-1)).toBeGreaterThan(0.95);
  });
});

describe('a run until conclusive', () => {
  const MOST = 24;
  const SHOWN = IS_FULL ? 400 : 200;

  const alarms = (world: World): number => {
    const random = createRandom(70);
    const plan = gridPlan(MOST, 10_000);
    return shareOf(SHOWN, () =>
      namesDifference(effectsIn(plan, untilConclusive(plan, runOf(world, { truth: equal }, MOST, random)))),
    );
  };

  eachWithin(
    'names an effect among equals in at most one run of twenty with %s',
    ALL,
    (world) => [alarms(world)],
    [0, 0.05],
  );
});

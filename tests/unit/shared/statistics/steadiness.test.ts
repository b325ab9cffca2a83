import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../src/benchmark/random.ts';
import { compareSteadiness } from '../../../../src/shared/analysis/steadiness.ts';
import { steadinessOf } from '../../../../src/shared/run/steadiness.ts';
import type { ScenarioSteadiness } from '../../../../src/shared/analysis/analysis.ts';
import { IS_FULL, sampled } from '../../../helpers/tier.ts';
import { eachWithin, planOf, printHead, shareOf } from './runs.ts';
import { normal } from './worlds.ts';

/*
 * Does the 95% interval of a ratio of variations hold the truth in 95% of all runs, and how often is an equally steady
 * scenario called less steady or steadier? Throughput per second is simulated, in trials as long as those of small and
 * full forms.
 */

const RUNS = IS_FULL ? 2000 : 800;
const COMPARED = 3;

/** Throughput of one second relative to a trial's level, with a standard deviation of about `sd`. */
interface World {
  name: string;
  trial(random: Random, sd: number): () => number;
  /** Factor of a round for the variation of all its scenarios. */
  round?(random: Random): number;
}

const independent: World['trial'] = (random, sd) => () => 1 + sd * normal(random);

const WORLDS: World[] = [
  { name: 'independent seconds', trial: independent },
  {
    name: 'AR(1), 0.7 from second to second',
    trial: (random, sd) => {
      let level = normal(random);
      return () => {
        level = 0.7 * level + Math.sqrt(1 - 0.49) * normal(random);
        return 1 + sd * level;
      };
    },
  },
  {
    name: 'rounds that are up to several times less steady',
    trial: independent,
    round: (random) => Math.exp(0.5 * normal(random)),
  },
  {
    name: 'a tenth of the seconds much slower',
    trial: (random, sd) => () => (random() < 0.1 ? 1 - 5 * sd : 1 + sd * normal(random)),
  },
];

/** Comparisons of scenarios whose variation is `truth` times the baseline's. */
function compared(
  world: World,
  truth: number,
  { rounds, seconds }: { rounds: number; seconds: number },
  random: Random,
): ScenarioSteadiness[] {
  const plan = planOf(1 + COMPARED, rounds);
  const trials = Array.from({ length: rounds }, (_, round) => {
    const noise = 0.03 * (world.round?.(random) ?? 1);
    return plan.scenarios.map(({ id }) => {
      const level = Math.exp(0.1 * normal(random));
      const next = world.trial(random, id === 's0' ? noise : noise * truth);
      const perSecond = Array.from({ length: seconds }, () => 1000 * level * next());
      return { scenarioId: id, round, steadiness: steadinessOf(perSecond) };
    });
  }).flat();
  const found = compareSteadiness(plan.scenarios, trials, { confidence: 0.95, baselineOf: () => 's0' });
  return [...found].flatMap(([id, one]) => (id === 's0' ? [] : [one]));
}

function shareOfRuns(
  world: World,
  truth: number,
  size: { rounds: number; seconds: number },
  isCounted: (compared: ScenarioSteadiness[]) => boolean,
): number {
  const random = createRandom(truth + size.rounds * size.seconds);
  return shareOf(RUNS, () => isCounted(compared(world, truth, size, random)));
}

const CASES = [
  { seconds: 10, rounds: 3 },
  { seconds: 10, rounds: 8 },
  { seconds: 20, rounds: 3 },
  { seconds: 60, rounds: 3 },
];
const HEAD = CASES.map(({ seconds, rounds }) => `${seconds} s × ${rounds}`);

describe('the interval of a ratio of variations', () => {
  printHead('Coverage of 95 % intervals of steadiness', HEAD);

  eachWithin(
    'holds the truth in 93 to 97% of runs with %s',
    sampled(WORLDS, 2),
    (world) =>
      CASES.map((size) =>
        shareOfRuns(
          world,
          1.5,
          size,
          ([one]) => (one?.ratio?.low ?? 9) <= 1.5 && (one?.ratio?.high ?? 0) >= 1.5,
        ),
      ),
    [0.93, 0.97],
  );
});

describe('the verdict on steadiness', () => {
  printHead('Equally steady scenarios called less steady or steadier, any of three', HEAD);

  eachWithin(
    'is false in at most 5% of runs with %s',
    sampled(WORLDS, 2),
    (world) =>
      CASES.map((size) =>
        shareOfRuns(world, 1, size, (all) =>
          all.some(({ verdict }) => verdict === 'less-steady' || verdict === 'steadier'),
        ),
      ),
    // Two standard errors of a share of 5%.
    [0, 0.06],
  );

  eachWithin(
    'names a scenario that varies four times as much in nearly every short run with %s',
    WORLDS.slice(0, 1),
    (world) => [shareOfRuns(world, 4, { rounds: 3, seconds: 20 }, ([one]) => one?.verdict === 'less-steady')],
    [0.9, 1],
  );
});

describe('the steadiness of a trial', () => {
  it('is the sample standard deviation ÷ the mean of its seconds', () => {
    expect(steadinessOf([90, 100, 110, 95, 105])?.variation).toBeCloseTo(Math.sqrt(250 / 4) / 100, 12);
    expect(steadinessOf([100, 100, 100, 100, 100])).toEqual({ seconds: 5, variation: 0, stalledSeconds: 0 });
  });

  it('counts seconds with less than a tenth of the median as stalled', () => {
    expect(steadinessOf([100, 101, 9, 0, 99, 102, 11])?.stalledSeconds).toBe(2);
    expect(steadinessOf([0, 0, 0, 0, 50])?.stalledSeconds).toBe(4);
  });

  it('is unknown for fewer than five seconds, and without a transaction', () => {
    expect(steadinessOf([100, 90, 110, 100])).toBeNull();
    expect(steadinessOf([0, 0, 0, 0, 0, 0])).toBeNull();
  });
});

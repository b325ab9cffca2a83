import { shuffled, type Random } from '../../../../src/benchmark/random.ts';
import type { Amount } from '../../../../src/shared/model/measurements.ts';
import { amountAt, sampleOf, type Speeds } from '../../../../src/shared/analysis/samples.ts';

/*
 * Machines that disturb a run, each in its own way. A run is a row of trials in time: rounds one after the other, the
 * scenarios of a round in a random order; or of slices: rounds of passes. A world gives each a factor that its
 * throughput is multiplied by.
 */

/** Place of a trial in its run. */
export interface Place {
  round: number;
  /** Number of the trial or slice in its run, from 0. */
  trial: number;
  /** Number of the trial or slice in its round. */
  turn: number;
  /** Number of the scenario; 0 is the baseline. */
  scenario: number;
}

export interface World {
  name: string;
  /** Draws one run's disturbance: the logarithm of each trial's factor. */
  run(random: Random, rounds: number, trials: number): (place: Place) => number;
}

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Student's t with whole degrees of freedom, scaled to variance 1: outliers every now and then. */
function heavyTailed(degrees: number, random: Random): number {
  let squares = 0;
  for (let one = 0; one < degrees; one++) squares += normal(random) ** 2;
  return (normal(random) / Math.sqrt(squares / degrees)) * Math.sqrt((degrees - 2) / degrees);
}

/** Centered exponential, downwards: mostly near the best speed, at times much slower. Skewness −2. */
function skewed(random: Random): number {
  return 1 + Math.log(1 - random());
}

/** Noise that every trial has for itself, 5%. */
const own = (random: Random): number => 0.05 * normal(random);

/** Times of several trials in which the machine has only a part of its speed. */
function bursts(speed: number): World['run'] {
  return (random) => {
    let isBurst = random() < 0.2;
    let at = 0;
    return ({ trial }) => {
      for (; at < trial; at++) isBurst = random() < (isBurst ? 0.6 : 0.1);
      return own(random) + (isBurst ? Math.log(speed) : 0);
    };
  };
}

export const WORLDS: World[] = [
  { name: 'quiet: 5 % noise of each trial', run: (random) => () => own(random) },
  {
    name: 'drift: a third slower from first to last trial',
    run:
      (random, _rounds, trials) =>
      ({ trial }) =>
        own(random) + (Math.log(2 / 3) * trial) / Math.max(1, trials - 1),
  },
  {
    name: 'autocorrelation: AR(1), 0.8 from trial to trial, 10 %',
    run: (random) => {
      let level = 0.1 * normal(random);
      let at = 0;
      return ({ trial }) => {
        for (; at < trial; at++) level = 0.8 * level + 0.06 * normal(random);
        return level + own(random);
      };
    },
  },
  { name: 'bursts: now and then 15 % slower for some trials', run: bursts(0.85) },
  {
    name: 'one slow round: 40 % slower',
    run: (random, rounds) => {
      const slow = Math.floor(random() * rounds);
      return ({ round }) => own(random) + (round === slow ? Math.log(0.6) : 0);
    },
  },
  { name: 'heavy tails: t with 5 degrees', run: (random) => () => 0.05 * heavyTailed(5, random) },
  { name: 'heavy tails: t with 3 degrees', run: (random) => () => 0.05 * heavyTailed(3, random) },
  { name: 'skewed alike: exponential dips on both sides', run: (random) => () => 0.05 * skewed(random) },
  {
    name: 'uneven: the scenarios four times as noisy as the baseline',
    run: (random) => (place) => (place.scenario === 0 ? 0.25 : 1) * own(random),
  },
];

/**
 * Worlds in which an interval of few rounds can't be exact: rare and large disturbances make it wider than it had to be,
 * noise that is skewed on one side only makes it too narrow. What that comes to is measured and told.
 */
export const HARD_WORLDS: World[] = [
  { name: 'strong bursts: now and then 30 % slower for some trials', run: bursts(0.7) },
  {
    name: 'one slow trial of one scenario: 40 % slower',
    run: (random, _rounds, trials) => {
      const slow = Math.floor(random() * trials);
      return ({ trial }) => own(random) + (trial === slow ? Math.log(0.6) : 0);
    },
  },
  {
    name: 'skewed on one side: only the scenarios have dips',
    run: (random) => (place) => (place.scenario === 0 ? 0.3 * own(random) : 0.05 * skewed(random)),
  },
];

/**
 * A start is good or bad for a server, so that the ratio of two differs by `deviation`; each trial has
 * separate noise.
 */
export function starts(deviation: number, noise: number, serverOf: (scenario: number) => string): World {
  return {
    name: `starts of two servers differ by ${(100 * deviation).toFixed(0)} %, ${100 * noise} % noise`,
    run: (random) => {
      const known = new Map<string, number>();
      return ({ round, scenario }) => {
        const key = `${round} ${serverOf(scenario)}`;
        const start = known.get(key) ?? (deviation / Math.SQRT2) * normal(random);
        known.set(key, start);
        return start + noise * normal(random);
      };
    },
  };
}

interface Design {
  /** Number of passes per round; without passes a round is one sample. */
  passes?: number;
  serverOf?: (scenario: number) => string;
  /** Standard deviation of what a server has for the whole run. */
  apart?: number;
}

/** A run in a world: throughput by scenario id (`s0` is the baseline) and sample. */
export function simulate(
  world: World,
  truths: readonly number[],
  rounds: number,
  random: Random,
  { passes = 0, serverOf = String, apart = 0.007 }: Design = {},
): Speeds {
  const servers = new Map<string, number>();
  const own = (scenario: number): number => {
    const known = servers.get(serverOf(scenario)) ?? apart * normal(random);
    servers.set(serverOf(scenario), known);
    return known;
  };
  const turns = Math.max(1, passes);
  const factor = world.run(random, rounds, rounds * turns * truths.length);
  const rates = new Map(truths.map((_, scenario) => [`s${scenario}`, new Map<number, Amount>()]));
  let trial = 0;
  for (let round = 0; round < rounds; round++) {
    for (let pass = 0; pass < turns; pass++) {
      const order = shuffled(
        truths.map((_, scenario) => scenario),
        random,
      );
      for (const [position, scenario] of order.entries()) {
        const place = { round, trial: trial++, turn: pass * truths.length + position, scenario };
        const rate = 800 * (truths[scenario] ?? 1) * Math.exp(factor(place) + own(scenario));
        rates.get(`s${scenario}`)?.set(sampleOf(round + 1, passes === 0 ? 0 : pass + 1), amountAt(rate));
      }
    }
  }
  return rates;
}

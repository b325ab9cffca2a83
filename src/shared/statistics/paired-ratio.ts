import { studentTQuantile } from './student-t.ts';
import type { Verdict } from '../model/names.ts';

/** A ratio of speeds (measurements.ts) to the baseline; 0.5 means half its TPS. */
export interface RatioEstimate {
  value: number;
  /** Bounds of the interval; null with fewer than three samples. */
  low: number | null;
  high: number | null;
  /** Of the mean log ratio; null without bounds. */
  standardError: number | null;
  /** Of freedom, of the standard error; 0 without bounds. */
  degrees: number;
  confidence: number;
  /** Passes in which both were measured, or rounds of separate trials. */
  samples: number;
  pairedRounds: number;
}

export interface RatioPair {
  scenario: number;
  baseline: number;
}

/** A log ratio: of one pass of a round, or of a whole round. */
export interface Sample {
  round: number;
  log: number;
}

/** Names the method in every export. Change it whenever numbers would change. */
export const METHOD =
  'paired ratios per pass (of sums, linearized) or round (geometric mean), rounds as blocks with moderated variance, Student-t interval from three samples on; alpha spending over checks; verdicts by Holm over effects, then over scenarios (v7)';

/** Fewer samples have no interval and no verdict. */
export const ENOUGH_SAMPLES = 3;
/** Assumed standard deviation of a log ratio from one start of two servers to the next. */
const START_DEVIATION = 0.015;
/** The assumption counts as this many further rounds. */
const PRIOR_DEGREES = 6;

export type MeanRatio = Omit<RatioEstimate, 'low' | 'high' | 'confidence'>;

/**
 * The geometric mean of ratios with the standard error and degrees of freedom of Student's t interval. What a pass or round shares (a warm machine, a busy disk)
 * cancels out. Rounds are blocks: the samples of one share a start of the servers. So the variance of a round's mean is
 * σ² / n + τ², with σ² from the deviations within rounds; how far the means of the rounds are apart moderates it, with
 * `PRIOR_DEGREES` for what was expected, or as few as σ² has (at least the fewer of two is on the safe side). With one
 * sample in each round nothing is expected, and this is the paired t interval. `startShare` is τ² in units of one
 * pair of servers, less for a mean over several. Bounds are null below three samples. Sources: geometric means of ratios (Fleming & Wallace, CACM 29(3), 1986, doi:10.1145/5666.5673); paired t
 * interval (Jain, The Art of Computer Systems Performance Analysis, 1991, §13.4.1); moderated variance (Smyth, Stat.
 * Appl. Genet. Mol. Biol. 3(1), 2004, doi:10.2202/1544-6115.1027).
 */
export function meanRatio(samples: readonly Sample[], startShare = 1): MeanRatio | null {
  if (samples.length === 0) return null;
  const rounds = blocksOf(samples);
  const counts = { samples: samples.length, pairedRounds: rounds.length };
  const without = { standardError: null, degrees: 0, ...counts };
  const within = samples.length - rounds.length;
  const variance = within === 0 ? 0 : sumOf(rounds, ({ squares }) => squares) / within;
  const blocks = rounds.map(({ mean, count }) => ({
    mean,
    weight: 1 / (variance / count + startShare * START_DEVIATION ** 2),
  }));
  const weight = sumOf(blocks, (one) => one.weight);
  // From one of them, so that equal ones have exactly their mean.
  const some = blocks[0]?.mean ?? 0;
  const mean = some + sumOf(blocks, (one) => one.weight * (one.mean - some)) / weight;
  const value = Math.exp(mean);
  if (samples.length < ENOUGH_SAMPLES) return { value, ...without };
  const expected = Math.min(PRIOR_DEGREES, within);
  const degrees = expected + rounds.length - 1;
  const apart = sumOf(blocks, (one) => one.weight * (one.mean - mean) ** 2);
  const standardError = Math.sqrt((expected + apart) / degrees / weight);
  return { value, standardError, degrees, ...counts };
}

export function withInterval(ratio: MeanRatio, confidence: number): RatioEstimate {
  const { value, standardError, degrees } = ratio;
  if (standardError === null) return { ...ratio, low: null, high: null, confidence };
  const reach = studentTQuantile(0.5 + confidence / 2, degrees) * standardError;
  return { ...ratio, low: value * Math.exp(-reach), high: value * Math.exp(reach), confidence };
}

function blocksOf(samples: readonly Sample[]): { mean: number; count: number; squares: number }[] {
  const byRound = new Map<number, number[]>();
  for (const { round, log } of samples) byRound.set(round, [...(byRound.get(round) ?? []), log]);
  return [...byRound.values()].map((logs) => {
    const mean = sumOf(logs, (log) => log) / logs.length;
    return { mean, count: logs.length, squares: sumOf(logs, (log) => (log - mean) ** 2) };
  });
}

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}

/** Each pair is its own round; pairs with an idle side have no ratio. */
export function pairedRatio(pairs: readonly RatioPair[], confidence: number): RatioEstimate | null {
  const usable = pairs.filter(({ scenario, baseline }) => scenario > 0 && baseline > 0);
  const ratio = meanRatio(
    usable.map(({ scenario, baseline }, round) => ({ round, log: Math.log(scenario / baseline) })),
  );
  return ratio && withInterval(ratio, confidence);
}

/** Whether more rounds can bring a verdict. */
export function canSettle({ ratio }: { ratio: RatioEstimate | null }): boolean {
  return ratio !== null;
}

export function equivalenceZone(equivalence: number): [low: number, high: number] {
  return [1 / (1 + equivalence), 1 + equivalence];
}

/**
 * `same`: the interval lies within the zone of equivalence, so a certain but tiny difference is `same`. `slower`,
 * `faster`: it lies on one side of 1. Otherwise, and without an interval: `inconclusive`. Source: equivalence by
 * interval inclusion (Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987, doi:10.1007/BF01068419), with limits
 * symmetric for ratios.
 */
export function verdictOf(
  estimate: Pick<RatioEstimate, 'low' | 'high'> | null,
  equivalence: number,
): Verdict {
  if (estimate === null || estimate.low === null || estimate.high === null) return 'inconclusive';
  const { low, high } = estimate;
  const [least, most] = equivalenceZone(equivalence);
  if (low >= least && high <= most) return 'same';
  if (high < 1) return 'slower';
  if (low > 1) return 'faster';
  return 'inconclusive';
}

export interface LogMean {
  mean: number;
  standardError: number;
  degrees: number;
}

/** Ratio of two speeds from unpaired samples. */
export interface ChangeEstimate {
  value: number;
  low: number;
  high: number;
  standardError: number;
  degrees: number;
  confidence: number;
}

/** Null for fewer than two rates, or if one is 0. */
export function logMean(rates: readonly number[]): LogMean | null {
  if (rates.length < 2 || rates.some((one) => one <= 0)) return null;
  const logs = rates.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const degrees = logs.length - 1;
  return { mean, standardError: Math.sqrt(squares / degrees / logs.length), degrees };
}

/**
 * Ratio of two speeds with Student's t interval of the difference of mean logarithms. Variances are added, not
 * pooled, and t has the fewer degrees of freedom of the two samples, so the interval keeps its confidence whatever
 * the variances are. Welch's degrees of freedom gave 90.5% instead of 95% for 3 and 12 rounds. Sources: M. R.
 * Mickey, M. B. Brown, Ann. Math. Statist. 37, 1966, p. 639–642; with Hsu's bounds of 1938: Y. Qiu, L. Zhang,
 * arXiv:1712.10099.
 */
export function logDifference(from: LogMean, to: LogMean, confidence: number): ChangeEstimate {
  const degrees = Math.min(from.degrees, to.degrees);
  const standardError = Math.hypot(from.standardError, to.standardError);
  const difference = to.mean - from.mean;
  const reach = studentTQuantile(0.5 + confidence / 2, degrees) * standardError;
  return {
    value: Math.exp(difference),
    low: Math.exp(difference - reach),
    high: Math.exp(difference + reach),
    standardError,
    degrees,
    confidence,
  };
}

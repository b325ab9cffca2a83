import type { RatioEstimate } from '../model/analysis.ts';
import { studentTQuantile } from './student-t.ts';
import type { Verdict } from '../model/names.ts';

export interface RatioPair {
  scenario: number;
  baseline: number;
}

/** Names the method in every export. Change it whenever numbers would change. */
export const METHOD =
  'paired log ratios per round, geometric mean, Student-t interval from three rounds on; verdicts by Holm over effects, then over scenarios (v4)';

/**
 * The geometric mean of the ratios within rounds, with Student's t interval of the mean log ratio, n − 1 degrees of
 * freedom. What a whole round shares (a warm machine, a busy disk) cancels out. Null without a pair; pairs with an
 * idle baseline have no ratio. Bounds are null below three pairs, and if the scenario did nothing in a round: then the
 * geometric mean is 0. Sources: geometric means of ratios (Fleming & Wallace, CACM 29(3), 1986,
 * doi:10.1145/5666.5673); paired t interval (Jain, The Art of Computer Systems Performance Analysis, 1991, §13.4.1).
 */
export function pairedRatio(pairs: readonly RatioPair[], confidence: number): RatioEstimate | null {
  const usable = pairs.filter(({ scenario, baseline }) => baseline > 0 && scenario >= 0);
  const pairedRounds = usable.length;
  if (pairedRounds === 0) return null;
  if (usable.some(({ scenario }) => scenario === 0)) {
    return { value: 0, low: null, high: null, standardError: null, confidence, pairedRounds };
  }
  const logs = usable.map(({ scenario, baseline }) => Math.log(scenario / baseline));
  const mean = logs.reduce((sum, one) => sum + one, 0) / pairedRounds;
  const value = Math.exp(mean);
  if (pairedRounds < ENOUGH_ROUNDS) {
    return { value, low: null, high: null, standardError: null, confidence, pairedRounds };
  }
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const standardError = Math.sqrt(squares / (pairedRounds - 1) / pairedRounds);
  const reach = studentTQuantile(0.5 + confidence / 2, pairedRounds - 1) * standardError;
  return {
    value,
    low: Math.exp(mean - reach),
    high: Math.exp(mean + reach),
    standardError,
    confidence,
    pairedRounds,
  };
}

/** Fewer paired rounds have no interval and no verdict. */
export const ENOUGH_ROUNDS = 3;

/** Whether more rounds can bring a verdict: not without a pair, nor where a round finished nothing. */
export function canSettle({ ratio }: { ratio: RatioEstimate | null }): boolean {
  return ratio !== null && ratio.value > 0;
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

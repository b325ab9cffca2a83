import { ENOUGH_SAMPLES, estimateAt, type RatioEstimate, studentEstimate } from './estimate.ts';
import { studentTQuantile } from './student-t.ts';

export interface RatioPair {
  scenario: number;
  baseline: number;
}

/** The method's name must change whenever numbers would. */
export const METHOD =
  'paired ratios per pass (of sums, linearized) or round (geometric mean); servers as units with moderated variance, other programs as a covariate of storage; Student-t interval from three samples on, alpha spending over checks; differences by Holm over effects, then over scenarios, equivalence by two one-sided tests; of tasks the Hodges–Lehmann ratio with signed-rank intervals (v9)';

/**
 * The geometric mean (Fleming & Wallace, CACM 29(3), 1986, doi:10.1145/5666.5673) with the paired t interval
 * of logarithms (Jain, The Art of Computer Systems Performance Analysis, 1991, §13.4.1).
 */
export function pairedRatio(pairs: readonly RatioPair[], confidence: number): RatioEstimate | null {
  const logs = pairs.flatMap(({ scenario, baseline }) =>
    scenario > 0 && baseline > 0 ? [Math.log(scenario / baseline)] : [],
  );
  const count = logs.length;
  if (count === 0) return null;
  // Deviations from one value keep the mean of equal values exact.
  const some = logs[0] ?? 0;
  const mean = some + logs.reduce((sum, one) => sum + one - some, 0) / count;
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const isEnough = count >= ENOUGH_SAMPLES;
  const estimate = studentEstimate({
    value: Math.exp(mean),
    standardError: isEnough ? Math.sqrt(squares / (count - 1) / count) : null,
    degrees: isEnough ? count - 1 : 0,
    samples: count,
    pairedRounds: count,
  });
  return estimateAt(estimate, 1 - confidence, confidence);
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

export function logMean(rates: readonly number[]): LogMean | null {
  if (rates.length < 2 || rates.some((one) => one <= 0)) return null;
  const logs = rates.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const degrees = logs.length - 1;
  return { mean, standardError: Math.sqrt(squares / degrees / logs.length), degrees };
}

/**
 * Variances are added and t has the fewer degrees of freedom, so the confidence holds for any variances;
 * Welch's degrees of freedom gave 90.5% instead of 95% for 3 and 12 rounds. Sources: M. R. Mickey, M. B.
 * Brown, Ann. Math. Statist. 37, 1966, p. 639–642; with Hsu's bounds of 1938: Y. Qiu, L. Zhang,
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

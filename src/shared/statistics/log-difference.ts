import { studentTQuantile } from './student-t.ts';

/** The mean of logarithms, and how sure it is: of paired log ratios, or of log rates. */
export interface LogMean {
  mean: number;
  standardError: number;
  /** Of the standard error: values − 1. */
  degrees: number;
}

/** How many times one speed is the other, from two samples that have no pairs. */
export interface ChangeEstimate {
  value: number;
  low: number;
  high: number;
  /** Of the logarithm. */
  standardError: number;
  /** Of the t that made the interval. */
  degrees: number;
  confidence: number;
}

/** The mean of the logarithms of rates; null for fewer than two of them, or where one is 0. */
export function logMean(rates: readonly number[]): LogMean | null {
  if (rates.length < 2 || rates.some((one) => one <= 0)) return null;
  const logs = rates.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const degrees = logs.length - 1;
  return { mean, standardError: Math.sqrt(squares / degrees / logs.length), degrees };
}

/**
 * How many times `from` the other one is, with Student's t interval of the difference of the two means, taken back from
 * logarithms. The two samples may scatter differently, so their variances are not pooled but added, and t has the fewer
 * degrees of freedom of the two: then the interval holds at least its confidence whatever the variances are. Welch's
 * degrees of freedom would make it shorter; of 3 rounds and 12 they held 90.5 % where 95 % were asked for.
 *
 * Sources: M. R. Mickey, M. B. Brown, Ann. Math. Statist. 37, 1966, p. 639–642; told again, with Hsu's bounds of 1938,
 * by Y. Qiu, L. Zhang, arXiv:1712.10099.
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

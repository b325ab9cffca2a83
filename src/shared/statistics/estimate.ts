import { studentTCdf, studentTQuantile } from './student-t.ts';

/** Fewer samples have no interval and no verdict. */
export const ENOUGH_SAMPLES = 3;

/** A zone of ratios, each from 0 to Infinity. */
export type Zone = readonly [low: number, high: number];
/** The zone of "no difference". */
export const ONE: Zone = [1, 1];

/** A log ratio with what is known about its error. Functions return null where there are too few samples. */
export interface Estimate {
  /** The ratio: exp of the estimate of its logarithm. */
  value: number;
  samples: number;
  pairedRounds: number;
  /** Standard error of the logarithm; null with too few samples, or if none is defined (ranks). */
  standardError: number | null;
  /** Degrees of freedom of the standard error; 0 without one. */
  degrees: number;
  /** Two-sided p value of "the ratio lies within this zone", by default "it is 1". */
  differenceP(from?: Zone): number | null;
  /** The greater of the two one-sided p values of "the ratio lies outside this zone". */
  outsideP(zone: Zone): number | null;
  /** Bounds of the interval with this two-sided error probability; null with too few samples. */
  bounds(level: number): [low: number, high: number] | null;
}

/** An estimate as data; `low` and `high` are null with fewer than three samples. */
export interface RatioEstimate {
  /** A ratio of speeds (measurements.ts) to the baseline; 0.5 means half its TPS. */
  value: number;
  low: number | null;
  high: number | null;
  standardError: number | null;
  degrees: number;
  confidence: number;
  /** Passes in which both were measured, or rounds of separate trials. */
  samples: number;
  pairedRounds: number;
}

/** The ratio of the same two the other way around. */
export function inverse(ratio: RatioEstimate): RatioEstimate {
  const { value, low, high } = ratio;
  return {
    ...ratio,
    value: 1 / value,
    low: high === null ? null : 1 / high,
    high: low === null ? null : 1 / low,
  };
}

type Known = Pick<RatioEstimate, 'value' | 'standardError' | 'degrees' | 'samples' | 'pairedRounds'>;

/** An estimate whose interval comes from Student's t. */
export function studentEstimate({ value, standardError, degrees, samples, pairedRounds }: Known): Estimate {
  const log = Math.log(value);
  return {
    ...{ value, standardError, degrees, samples, pairedRounds },
    differenceP: (from = ONE) =>
      standardError === null ? null : 2 * upperTail(-depthIn(from, log), standardError, degrees),
    outsideP: (zone) =>
      standardError === null ? null : upperTail(depthIn(zone, log), standardError, degrees),
    bounds: (level) => {
      if (standardError === null) return null;
      const reach = studentTQuantile(1 - level / 2, degrees) * standardError;
      return [value * Math.exp(-reach), value * Math.exp(reach)];
    },
  };
}

/** Distance of a log ratio from the nearer end of a zone; negative outside. */
export function depthIn([low, high]: Zone, log: number): number {
  return Math.min(Math.log(high) - log, log - Math.log(low));
}

/** P(T > distance ÷ error); without scatter a distance is certain. */
function upperTail(distance: number, error: number, degrees: number): number {
  if (error === 0) return distance > 0 ? 0 : 0.5;
  return studentTCdf(-distance / error, degrees);
}

/** An estimate with the interval of a test at `level`. Its named confidence is what it keeps over all looks. */
export function estimateAt(
  estimate: Estimate | null,
  level: number,
  confidence: number,
): RatioEstimate | null {
  if (estimate === null) return null;
  const { value, standardError, degrees, samples, pairedRounds } = estimate;
  const [low, high] = estimate.bounds(level) ?? [null, null];
  return { value, low, high, standardError, degrees, confidence, samples, pairedRounds };
}

/** Whether more rounds can bring a verdict. */
export function canSettle({ ratio }: { ratio: unknown }): boolean {
  return ratio !== null;
}

export function equivalenceZone(equivalence: number): Zone {
  return [1 / (1 + equivalence), 1 + equivalence];
}

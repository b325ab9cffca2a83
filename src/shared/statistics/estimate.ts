import { studentTCdf, studentTQuantile } from './student-t.ts';

/** Fewer samples have no interval and no verdict. */
export const ENOUGH_SAMPLES = 3;

/** Ratios from 0 to Infinity. */
export type Zone = readonly [low: number, high: number];
export const ONE: Zone = [1, 1];

/** Functions return null with too few samples. */
export interface Estimate {
  /** The ratio itself. */
  value: number;
  samples: number;
  pairedRounds: number;
  /** The logarithm's error; null with too few samples. */
  standardError: number | null;
  /** Degrees are 0 without a standard error. */
  degrees: number;
  /** Two-sided p value of "the ratio lies within this zone". */
  differenceP(from?: Zone): number | null;
  /** The greater one-sided p value of "the ratio lies outside this zone". */
  outsideP(zone: Zone): number | null;
  /** The interval with this two-sided error probability. */
  bounds(level: number): [low: number, high: number] | null;
}

export interface RatioEstimate {
  /** Ratio of the speed (measurements.ts) to the baseline's. */
  value: number;
  low: number | null;
  high: number | null;
  standardError: number | null;
  degrees: number;
  confidence: number;
  /** Passes with both measured, or rounds of separate trials. */
  samples: number;
  pairedRounds: number;
}

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

/** Negative outside of the zone. */
export function depthIn([low, high]: Zone, log: number): number {
  return Math.min(Math.log(high) - log, log - Math.log(low));
}

function upperTail(distance: number, error: number, degrees: number): number {
  if (error === 0) return distance > 0 ? 0 : 0.5;
  return studentTCdf(-distance / error, degrees);
}

/** The interval at `level` keeps `confidence` over all looks. */
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

export function canSettle({ ratio }: { ratio: unknown }): boolean {
  return ratio !== null;
}

export function equivalenceZone(equivalence: number): Zone {
  return [1 / (1 + equivalence), 1 + equivalence];
}

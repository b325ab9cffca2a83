import type { RatioEstimate } from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';
import { studentTCdf } from './student-t.ts';
import { equivalenceZone } from './paired-ratio.ts';

/** A ratio that something is claimed of; its degrees of freedom are given, or one less than its pairs. */
type Estimate = Pick<RatioEstimate, 'value' | 'standardError'> &
  ({ pairedRounds: number } | { degrees: number });

export interface ClaimOptions {
  /** Largest probability of any false claim among all of them, for instance 0.05. */
  alpha: number;
  /** Half-width of "no difference that matters". */
  equivalence: number;
}

/**
 * What may be said of several ratios at once, in their order. Taken one by one, of ten comparisons without
 * any difference some interval misses 1 in up to 40 % of runs; here the probability of a single false `slower` or
 * `faster` is at most `alpha` over all of them together, and so is that of a false `same`. A ratio without an interval
 * is `unsettled` and no claim.
 *
 * Source: Holm's step-down procedure on the p values of both claims (Scand. J. Statist. 6, 1979, p. 65–70), which needs
 * nothing of how the comparisons depend on each other – they share their baseline. No ratio can make both claims
 * falsely, so the two families need no further correction (the partitioning principle: Finner & Strassburger,
 * Ann. Statist. 30, 2002, doi:10.1214/aos/1031689023).
 */
export function verdictsOf(
  estimates: readonly (Estimate | null)[],
  { alpha, equivalence }: ClaimOptions,
): Verdict[] {
  const same = holm(estimates.map((one) => equivalenceP(one, equivalence)));
  const different = holm(estimates.map(differenceP));
  return estimates.map((estimate, index): Verdict => {
    if (estimate === null) return 'unsettled';
    if ((same[index] ?? 1) <= alpha) return 'same';
    if ((different[index] ?? 1) <= alpha) return estimate.value < 1 ? 'slower' : 'faster';
    return 'unsettled';
  });
}

/** Two-sided p value of "the ratio is 1"; at most 1 − confidence exactly when the interval does not hold 1. */
export function differenceP(estimate: Estimate | null): number | null {
  if (estimate === null || estimate.standardError === null) return null;
  const distance = Math.abs(Math.log(estimate.value));
  return 2 * upper(distance, estimate.standardError, degreesOf(estimate));
}

/**
 * P value of "the ratio lies outside of the zone of equivalence": the greater one of the two one-sided tests, doubled,
 * so that it is at most 1 − confidence exactly when the interval lies within the zone. That is stricter than the
 * procedure of Schuirmann 1987, which takes the interval of 90 % for a test of 5 %.
 */
export function equivalenceP(estimate: Estimate | null, equivalence: number): number | null {
  if (estimate === null || estimate.standardError === null) return null;
  const log = Math.log(estimate.value);
  const [least, most] = equivalenceZone(equivalence).map(Math.log);
  const inside = Math.min(log - (least ?? 0), (most ?? 0) - log);
  return Math.min(1, 2 * upper(inside, estimate.standardError, degreesOf(estimate)));
}

function degreesOf(estimate: Estimate): number {
  return 'degrees' in estimate ? estimate.degrees : estimate.pairedRounds - 1;
}

/** P(T > distance ÷ error); without any scatter a distance is certain. */
function upper(distance: number, error: number, degrees: number): number {
  if (error === 0) return distance > 0 ? 0 : 0.5;
  return studentTCdf(-distance / error, degrees);
}

/** Holm's adjusted p values; null stays null and counts for nothing. */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  known.sort((a, b) => a.value - b.value);
  const adjusted: (number | null)[] = values.map(() => null);
  let least = 0;
  for (const [rank, { value, index }] of known.entries()) {
    least = Math.min(1, Math.max(least, (known.length - rank) * value));
    adjusted[index] = least;
  }
  return adjusted;
}

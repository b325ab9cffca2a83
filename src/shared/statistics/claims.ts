import type { RatioEstimate } from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';
import { studentTCdf } from './student-t.ts';
import { equivalenceZone } from './paired-ratio.ts';

/** Degrees of freedom are given, or pairs − 1. */
type Estimate = Pick<RatioEstimate, 'value' | 'standardError'> &
  ({ pairedRounds: number } | { degrees: number });

interface ClaimOptions {
  /** Largest probability of any false claim, such as 0.05. */
  alpha: number;
  equivalence: number;
}

/**
 * Verdicts for several ratios at once, in their order. One by one, some interval of ten equal comparisons misses 1 in
 * up to 40% of runs; here the probability of any false `slower` or `faster` is at most `alpha`, and so is that of
 * any false `same`. Without an interval: `inconclusive`. Sources: Holm's step-down procedure on the p values of both
 * claims (Scand. J. Statist. 6, 1979, p. 65–70), valid for any dependence, such as a shared baseline. No ratio can
 * make both claims falsely, so the families need no further correction (partitioning principle: Finner &
 * Strassburger, Ann. Statist. 30, 2002, doi:10.1214/aos/1031689023).
 */
export function verdictsOf(
  estimates: readonly (Estimate | null)[],
  { alpha, equivalence }: ClaimOptions,
): Verdict[] {
  const same = holm(estimates.map((one) => equivalenceP(one, equivalence)));
  const different = holm(estimates.map(differenceP));
  return estimates.map((estimate, index): Verdict => {
    if (estimate === null) return 'inconclusive';
    if ((same[index] ?? 1) <= alpha) return 'same';
    if ((different[index] ?? 1) <= alpha) return estimate.value < 1 ? 'slower' : 'faster';
    return 'inconclusive';
  });
}

/** Two-sided p value of "the ratio is 1": at most 1 − confidence exactly if the interval excludes 1. */
export function differenceP(estimate: Estimate | null): number | null {
  if (estimate === null || estimate.standardError === null) return null;
  const distance = Math.abs(Math.log(estimate.value));
  return 2 * upper(distance, estimate.standardError, degreesOf(estimate));
}

/**
 * p value of "the ratio lies outside the zone of equivalence": the greater of the two one-sided tests, doubled, so
 * that it is at most 1 − confidence exactly if the interval lies within the zone. Stricter than Schuirmann 1987, who
 * uses the 90% interval for a 5% test.
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

/** P(T > distance ÷ error); without scatter a distance is certain. */
function upper(distance: number, error: number, degrees: number): number {
  if (error === 0) return distance > 0 ? 0 : 0.5;
  return studentTCdf(-distance / error, degrees);
}

/** Holm's adjusted p values; null stays null and does not count. */
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

/**
 * A run that ends when conclusive checks its verdicts repeatedly, and each check can raise a false alarm. So there are few checks,
 * fixed before the run: after 3 rounds, then each time their number has doubled. By Bonferroni's inequality,
 * equal shares of the error probability make intervals that hold at all checks at once. Sources: repeated confidence
 * intervals (Jennison & Turnbull, J. R. Statist. Soc. B 51, 1989, p. 305–361); spending the error over interim checks (Lan &
 * DeMets, Biometrika 70, 1983, doi:10.1093/biomet/70.3.659). Closer bounds such as Pocock's hold only approximately
 * for few rounds with unknown variance.
 */
const INTERIM_CHECKS: readonly number[] = [3, 6, 12, 24, 48, 96];

/** Default maximum of rounds of a run until conclusive. */
export const MOST_ROUNDS = 32;

/** Looks of a run with at most `rounds` rounds, plus one for its end by time. */
export function interimChecksOf(rounds: number): number {
  return INTERIM_CHECKS.filter((one) => one < rounds).length + 1;
}

export function isInterimCheck(round: number, rounds: number): boolean {
  return round >= rounds || INTERIM_CHECKS.includes(round);
}

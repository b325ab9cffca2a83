import type { Verdict } from '../model/names.ts';
import { studentTCdf } from './student-t.ts';
import { equivalenceZone, type RatioEstimate } from './paired-ratio.ts';
import { type LevelOf, ONE_LOOK } from './spending.ts';

type Estimate = Pick<RatioEstimate, 'value' | 'standardError' | 'degrees'>;

interface ClaimOptions {
  /** Largest probability of any false claim, such as 0.05. */
  alpha: number;
  equivalence: number;
  levelOf?: LevelOf;
}

export interface Claim {
  verdict: Verdict;
  /** At which it was tested; null if inconclusive. */
  level: number | null;
}

/**
 * Verdicts for several ratios at once, in their order. One by one, some interval of ten equal comparisons misses 1 in
 * up to 40% of runs; here the probability of any false `slower` or `faster` is at most `alpha`, and so is that of
 * any false `same`. Without an interval: `inconclusive`. Sources: Holm's step-down procedure on the p values of both
 * claims (Scand. J. Statist. 6, 1979, p. 65–70), valid for any dependence, such as a shared baseline; over several
 * looks each step with its level at this look (Maurer & Bretz, Stat. Biopharm. Res. 5(4), 2013,
 * doi:10.1080/19466315.2013.807748). Estimates outside the zone don't count for `same`: what is left of their p values, doubled, holds
 * under that condition (Ellis, Pecanka & Goeman, Biostatistics 21(2), 2020, doi:10.1093/biostatistics/kxy042). No
 * ratio can make both claims falsely, so the families need no further correction (partitioning principle: Finner &
 * Strassburger, Ann. Statist. 30, 2002, doi:10.1214/aos/1031689023).
 */
export function claimsOf(
  estimates: readonly (Estimate | null)[],
  { alpha, equivalence, levelOf = ONE_LOOK }: ClaimOptions,
): Claim[] {
  const inside = estimates.map((one) => {
    const p = equivalenceP(one, equivalence);
    return p === 1 ? null : p;
  });
  const same = holm(inside, alpha, levelOf);
  const different = holm(estimates.map(differenceP), alpha, levelOf);
  return estimates.map((estimate, index): Claim => {
    const [sameAt = null, differentAt = null] = [same[index], different[index]];
    if (estimate === null) return { verdict: 'inconclusive', level: null };
    if (sameAt !== null) return { verdict: 'same', level: sameAt };
    if (differentAt === null) return { verdict: 'inconclusive', level: null };
    return { verdict: estimate.value < 1 ? 'slower' : 'faster', level: differentAt };
  });
}

/** Two-sided p value of "the ratio is 1": at most 1 − confidence exactly if the interval excludes 1. */
export function differenceP(estimate: Estimate | null): number | null {
  if (estimate === null || estimate.standardError === null) return null;
  const distance = Math.abs(Math.log(estimate.value));
  return 2 * upper(distance, estimate.standardError, estimate.degrees);
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
  return Math.min(1, 2 * upper(inside, estimate.standardError, estimate.degrees));
}

/** P(T > distance ÷ error); without scatter a distance is certain. */
function upper(distance: number, error: number, degrees: number): number {
  if (error === 0) return distance > 0 ? 0 : 0.5;
  return studentTCdf(-distance / error, degrees);
}

/** The level at which Holm's procedure rejects each; null: it doesn't, or without a p value, which does not count. */
export function holm(
  values: readonly (number | null)[],
  alpha: number,
  levelOf: LevelOf = ONE_LOOK,
): (number | null)[] {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  known.sort((a, b) => a.value - b.value);
  const rejected: (number | null)[] = values.map(() => null);
  for (const [rank, { value, index }] of known.entries()) {
    const level = levelOf(alpha / (known.length - rank));
    if (value > level) break;
    rejected[index] = level;
  }
  return rejected;
}

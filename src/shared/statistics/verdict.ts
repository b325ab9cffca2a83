import type { RatioEstimate } from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';

/** The ratios that make no difference that matters: 1/(1+δ) … 1+δ, δ being `equivalence`. */
export function equivalenceZone(equivalence: number): [low: number, high: number] {
  return [1 / (1 + equivalence), 1 + equivalence];
}

/**
 * What an interval allows to say. `same`: all of it lies within the zone of equivalence – so a difference that is
 * certain but too small to matter is `same` too. `slower`, `faster`: all of it lies on one side of 1. Anything else,
 * and no interval at all, is `unsettled`: a missing difference is never concluded from missing evidence.
 *
 * Source: equivalence by the confidence interval's inclusion (Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987,
 * doi:10.1007/BF01068419); limits that are symmetric for ratios, as usual there.
 */
export function verdictOf(
  estimate: Pick<RatioEstimate, 'low' | 'high'> | null,
  equivalence: number,
): Verdict {
  if (estimate === null || estimate.low === null || estimate.high === null) return 'unsettled';
  const { low, high } = estimate;
  const [least, most] = equivalenceZone(equivalence);
  if (low >= least && high <= most) return 'same';
  if (high < 1) return 'slower';
  if (low > 1) return 'faster';
  return 'unsettled';
}

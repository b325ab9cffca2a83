import type { RatioEstimate } from '../model/analysis.ts';
import { studentTQuantile } from './student-t.ts';
import type { Verdict } from '../model/names.ts';

/** What a scenario and the baseline achieved in the same round, in the same unit. */
export interface RatioPair {
  scenario: number;
  baseline: number;
}

/** Names the way ratios are made, for every export. Change it whenever the numbers would change. */
export const METHOD =
  'paired log ratios per round, geometric mean, Student-t interval; verdicts by Holm over all comparisons (v2)';

/**
 * How many times the baseline's throughput the scenario has: the geometric mean of the ratios within each round, and
 * Student's t interval of the mean log ratio with n − 1 degrees of freedom, both taken back from logarithms.
 * What a whole round shares (a warm machine, a busy disk) cancels out in the pair.
 *
 * Null without a usable pair; pairs whose baseline did nothing have no ratio. The bounds are null for fewer than two
 * pairs, and when a scenario did nothing in a round: 0 has no logarithm, and the geometric mean is 0.
 *
 * Sources: ratios of performance are averaged geometrically (Fleming & Wallace, CACM 29(3), 1986,
 * doi:10.1145/5666.5673); paired t interval for comparing two systems (Jain, The Art of Computer Systems Performance
 * Analysis, 1991, §13.4.1).
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
  if (pairedRounds < 2) {
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

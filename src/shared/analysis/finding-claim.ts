import type { Effect } from './analysis.ts';
import type { Finding } from '../model/history-entry.ts';
import type { ScenarioLabel } from '../model/plan.ts';
import { ENOUGH_SAMPLES, equivalenceZone, type RatioEstimate } from '../statistics/estimate.ts';

/** A greater bound is useless. */
const USEFUL = 10;

/** The only source of texts about a finding; a claim must hold for all its choices. */
export type Claim =
  | { kind: 'ratio'; value: number }
  /** A bound in either direction; `pair`: only the finding's two choices. */
  | { kind: 'apart'; scope: 'pair' | 'all'; bound: number; without: ScenarioLabel[] }
  | { kind: 'same'; bound: number; without: ScenarioLabel[] }
  | { kind: 'varies'; at: Finding['at'] }
  | { kind: 'unknown'; why: 'few' | 'noisy' | 'stalled' };

export function claimOf(finding: Finding): Claim {
  const { kind, ratio, equivalence, at } = finding;
  if (varies(finding)) return { kind: 'varies', at };
  if (kind === 'difference') {
    const [least, most] = equivalenceZone(equivalence);
    const isSmall = ratio.value > least && ratio.value < most;
    const bound = isSmall ? mostApart([ratio]) : null;
    return bound === null
      ? { kind: 'ratio', value: ratio.value }
      : { kind: 'apart', scope: 'pair', bound, without: [] };
  }
  if (ratio.samples < ENOUGH_SAMPLES) return { kind: 'unknown', why: 'few' };
  if (ratio.low === null || ratio.high === null) return { kind: 'unknown', why: 'stalled' };
  // Findings of earlier versions are about two choices only.
  const { bound, without } = finding.apart ?? { bound: mostApart([ratio]), without: [] };
  const scope = finding.apart === null ? 'pair' : 'all';
  if (bound === null || bound > USEFUL) return { kind: 'unknown', why: 'noisy' };
  if (kind === 'same' && scope === 'all' && bound <= 1 + equivalence) return { kind: 'same', bound, without };
  return { kind: 'apart', scope, bound, without };
}

/** At least 1, in either direction; null without an interval or with a bound of 0. */
export function mostApart(ratios: readonly (Pick<RatioEstimate, 'low' | 'high'> | null)[]): number | null {
  let most = 1;
  for (const ratio of ratios) {
    if (ratio === null || ratio.low === null || ratio.high === null || ratio.low <= 0) return null;
    most = Math.max(most, ratio.high, 1 / ratio.low);
  }
  return most;
}

export function hasInterval({ ratio }: Pick<Effect, 'ratio'>): boolean {
  return mostApart([ratio]) !== null;
}

export function varies({ at, kind, ratio }: Finding): boolean {
  const own = kind !== 'difference' ? kind : ratio.value < 1 ? 'slower' : 'faster';
  const all = new Set(at.map(({ verdict }) => verdict));
  return all.size > 1 || (all.size === 1 && !all.has(own));
}

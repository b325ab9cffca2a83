import type { Verdict } from '../model/names.ts';
import { equivalenceZone, type Estimate, ONE, type Zone } from './estimate.ts';
import { type LevelOf, ONE_LOOK } from './spending.ts';

/** Half-width of "no difference that matters", or a published zone. */
export type Margin = number | Zone;

export interface ToClaim {
  estimate: Estimate | null;
  margin: Margin;
}

export function isDifference(verdict: Verdict): verdict is 'slower' | 'faster' {
  return verdict === 'slower' || verdict === 'faster';
}

/** Ratios are the same inside `same`, different outside `different`. */
export function zonesOf(margin: Margin): { same: Zone; different: Zone } {
  return typeof margin === 'number'
    ? { same: equivalenceZone(margin), different: ONE }
    : { same: margin, different: margin };
}

export interface Claim {
  verdict: Verdict;
  /** Two-sided; null if inconclusive. */
  level: number | null;
}

/**
 * `same` comes from two one-sided tests at `alpha` each (Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987,
 * doi:10.1007/BF01068419), so each is false with at most that probability. `slower` and `faster` follow
 * Holm's step-down procedure (Scand. J. Statist. 6, 1979, p. 65–70), so any is false with at most `alpha`,
 * whatever their dependence. Over several looks each step has its level at this look (Maurer & Bretz, Stat.
 * Biopharm. Res. 5(4), 2013, doi:10.1080/19466315.2013.807748). A certain but tiny difference is `same`.
 */
export function claimsOf(
  ratios: readonly ToClaim[],
  { alpha, levelOf = ONE_LOOK }: { alpha: number; levelOf?: LevelOf },
): Claim[] {
  const different = holm(
    ratios.map(({ estimate, margin }) => estimate?.differenceP(zonesOf(margin).different) ?? null),
    alpha,
    (share, index) => levelOf(share, ratios[index]?.estimate?.samples),
  );
  return ratios.map(({ estimate, margin }, index): Claim => {
    const sameAt = levelOf(alpha, estimate?.samples);
    const outside = estimate?.outsideP(zonesOf(margin).same) ?? null;
    if (outside !== null && outside <= sameAt) return { verdict: 'same', level: 2 * sameAt };
    const differentAt = different[index] ?? null;
    if (estimate === null || differentAt === null) return { verdict: 'inconclusive', level: null };
    return { verdict: estimate.value < 1 ? 'slower' : 'faster', level: differentAt };
  });
}

/** Levels at which Holm's procedure rejects, else null. */
export function holm(
  values: readonly (number | null)[],
  alpha: number,
  levelOf: (alpha: number, index: number) => number = ONE_LOOK,
): (number | null)[] {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  known.sort((a, b) => a.value - b.value);
  const rejected: (number | null)[] = values.map(() => null);
  for (const [rank, { value, index }] of known.entries()) {
    const level = levelOf(alpha / (known.length - rank), index);
    if (value > level) break;
    rejected[index] = level;
  }
  return rejected;
}

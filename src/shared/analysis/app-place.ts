import { PATHS, type PathKind } from '../kinds/paths.ts';
import type { Factor } from '../model/factors.ts';
import { type Placement, PLACEMENTS } from '../model/names.ts';
import type { Plan } from '../model/plan.ts';
import type { Analysis, AppPlace, Effect } from './analysis.ts';

/** A project has a place; otherwise it matters where both are compared. */
export function appPlaceOf(
  { database, scenarios }: Plan,
  { effects, baselineId }: Pick<Analysis, 'effects' | 'baselineId'>,
  answer: Placement | null,
): AppPlace {
  if (database !== null) {
    return { place: scenarios.find(({ id }) => id === baselineId)?.placement ?? null, isAsked: false };
  }
  const measured = effects.filter(({ ratio }) => ratio !== null);
  const places = new Set(
    measured.flatMap(({ factor, level, reference }) =>
      [level, reference].map((one) => placeOf({ factor, level: one })),
    ),
  );
  const isAsked = PLACEMENTS.every((place) => places.has(place));
  return { place: isAsked ? answer : null, isAsked };
}

/** Null for any place. */
export function placeOf({
  factor,
  level,
}: {
  factor: Factor | null;
  level: string | null;
}): Placement | null {
  return factor === 'path' && level !== null && isPath(level) ? PATHS[level].placement : null;
}

export function isFor({ place }: AppPlace, choice: Pick<Effect, 'factor' | 'level'>): boolean {
  const own = placeOf(choice);
  return own === null || place === null || own === place;
}

function isPath(level: string): level is PathKind {
  return Object.hasOwn(PATHS, level);
}

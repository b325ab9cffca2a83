import type { Analysis, ScenarioAnalysis } from './model/analysis.ts';

/** Scenarios that are compared with the same baseline: all of a run, or those of one regime. */
export interface Comparison {
  baselineId: string;
  /** The regime as people call it; null where a run has no regimes. */
  regime: string | null;
  /** In the plan's order. */
  scenarios: ScenarioAnalysis[];
}

/** What the second measurement of a baseline has behind its name. */
const AGAIN = / \([^()]*\)$/;

/**
 * The comparisons of a run, in the plan's order; one where there are no regimes. A regime's name is what the names of all
 * its scenarios end with: that is how plans name them.
 */
export function comparisonsOf({ scenarios }: Pick<Analysis, 'scenarios'>): Comparison[] {
  const byBaseline = new Map<string, ScenarioAnalysis[]>();
  for (const scenario of scenarios) {
    const others = byBaseline.get(scenario.baselineId) ?? [];
    byBaseline.set(scenario.baselineId, [...others, scenario]);
  }
  return [...byBaseline].map(([baselineId, own]) => ({
    baselineId,
    regime: byBaseline.size === 1 ? null : sharedTail(own),
    scenarios: own,
  }));
}

/** The comparison that a scenario belongs to. */
export function comparisonOf(analysis: Pick<Analysis, 'scenarios'>, scenarioId: string): Comparison {
  const found = comparisonsOf(analysis).find(({ scenarios }) =>
    scenarios.some(({ id }) => id === scenarioId),
  );
  return found ?? { baselineId: scenarioId, regime: null, scenarios: [] };
}

/** A scenario's name where its regime has been said already. */
export function nameWithin({ regime }: Pick<Comparison, 'regime'>, name: string): string {
  if (regime === null) return name;
  const again = AGAIN.exec(name)?.[0] ?? '';
  const own = name.slice(0, name.length - again.length);
  return own.endsWith(`, ${regime}`) ? own.slice(0, -regime.length - 2) + again : name;
}

/** What all names have after a comma in common; null for nothing. */
function sharedTail(scenarios: ScenarioAnalysis[]): string | null {
  const tails = scenarios.map(({ name, isNoiseFloor }) => {
    const parts = (isNoiseFloor ? name.replace(AGAIN, '') : name).split(', ');
    return parts.slice(1);
  });
  const [first = [], ...others] = tails;
  let shared = 0;
  const at = (parts: string[]): string | undefined => parts.at(-1 - shared);
  while (shared < first.length && others.every((parts) => at(parts) === at(first))) shared += 1;
  return shared === 0 ? null : first.slice(-shared).join(', ');
}

import type { Analysis, ScenarioAnalysis } from '../model/analysis.ts';
import { levelsOf } from '../model/plan.ts';
import type { SaidParts } from '../model/scenario-label.ts';

/**
 * Scenarios that are compared with the same baseline: all of a run, or those of one regime, driver or level of a ramp.
 * What sets it apart from the others of its run is said with it, else null.
 */
export interface Comparison extends SaidParts {
  baselineId: string;
  /** In the plan's order. */
  scenarios: ScenarioAnalysis[];
}

/** The comparisons of a run, in the plan's order; one where there are neither regimes nor two drivers nor a ramp. */
export function comparisonsOf({ scenarios }: Pick<Analysis, 'scenarios'>): Comparison[] {
  const byBaseline = new Map<string, ScenarioAnalysis[]>();
  for (const scenario of scenarios) {
    const others = byBaseline.get(scenario.baselineId) ?? [];
    byBaseline.set(scenario.baselineId, [...others, scenario]);
  }
  const several = byBaseline.size > 1;
  const isRamp = levelsOf(scenarios).length > 1;
  const hasDrivers = new Set(scenarios.map(({ driver }) => driver)).size > 1;
  return [...byBaseline].map(([baselineId, own]) => ({
    baselineId,
    regime: several ? shared(own.map(({ label }) => label.regime)) : null,
    driver: several && hasDrivers ? shared(own.map(({ driver }) => driver)) : null,
    connections: isRamp ? (own[0]?.connections ?? null) : null,
    scenarios: own,
  }));
}

/** The comparison that a scenario belongs to. */
export function comparisonOf(analysis: Pick<Analysis, 'scenarios'>, scenarioId: string): Comparison {
  const found = comparisonsOf(analysis).find(({ scenarios }) =>
    scenarios.some(({ id }) => id === scenarioId),
  );
  return found ?? { baselineId: scenarioId, regime: null, driver: null, connections: null, scenarios: [] };
}

/** What all of them are; null where they differ. */
function shared<T>(values: T[]): T | null {
  const [first, ...others] = values;
  return first === undefined || others.some((one) => one !== first) ? null : first;
}

import type { Analysis, ScenarioAnalysis } from '../model/analysis.ts';
import type { DriverKind } from '../model/names.ts';
import { levelNameIn } from '../words/level-names.ts';
import { levelsOf } from '../model/ramp-levels.ts';
import { withoutTail } from '../preset/regimes.ts';

/**
 * Scenarios that are compared with the same baseline: all of a run, or those of one regime, driver or level of a ramp.
 */
export interface Comparison {
  baselineId: string;
  /** The regime as people call it; null where a run has no regimes. */
  regime: string | null;
  /** Null where both drivers are compared with the same baseline, or there is only one. */
  driver: DriverKind | null;
  /** The level; null where a run has no ramp. */
  connections: number | null;
  /** In the plan's order. */
  scenarios: ScenarioAnalysis[];
}

/** What sets a comparison apart from the others of its run. */
export type ComparisonPart = Pick<Comparison, 'regime' | 'driver' | 'connections'>;

/** What the second measurement of a baseline has behind its name. */
const AGAIN = / \([^()]*\)$/;

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
    regime: several ? shared(own.map(({ regimeName }) => regimeName)) : null,
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

/** A scenario's name where its regime, its driver and its level have been said already. */
export function nameWithin({ regime, driver, connections }: ComparisonPart, name: string): string {
  const level = connections === null ? null : levelNameIn(name, connections);
  const tail = [driver, regime, level].flatMap((part) => (part === null ? [] : [`, ${part}`])).join('');
  const again = AGAIN.exec(name)?.[0] ?? '';
  const own = name.slice(0, name.length - again.length);
  return withoutTail(own, tail) + again;
}

/** What all of them are; null where they differ. */
function shared<T>(values: T[]): T | null {
  const [first, ...others] = values;
  return first === undefined || others.some((one) => one !== first) ? null : first;
}

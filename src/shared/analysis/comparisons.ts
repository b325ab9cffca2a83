import type { Analysis, ScenarioAnalysis } from '../model/analysis.ts';
import { levelsOf, type Plan, type SaidParts, type Scenario, scenarioKey } from '../model/plan.ts';

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

/**
 * Which scenario each is compared with. Another baseline than the plan's stands for its counterpart in every regime, at
 * every level of a ramp and under every driver; where there is none, each keeps its own. With a baseline that does not
 * exist there is nothing to compare.
 */
export function baselines(scenarios: Scenario[], chosen: string | undefined): (scenario: Scenario) => string {
  if (chosen === undefined) return ({ baselineId }) => baselineId;
  const wanted = scenarios.find(({ id }) => id === chosen);
  if (wanted === undefined) return () => chosen;
  const counterparts = scenarios.filter((one) => placeOf(one) === placeOf(wanted));
  return ({ regime, connections, driver, baselineId }) => {
    const own = counterparts.filter((one) => one.regime === regime && one.connections === connections);
    const found =
      own.find(({ id }) => id === chosen && driver === wanted.driver) ??
      own.find((one) => one.driver === driver) ??
      own.find((one) => one.driver === wanted.driver);
    return found?.id ?? baselineId;
  };
}

/** Whether two scenarios differ in nothing but regime, level and driver. */
export function isSamePlace(one: Scenario, other: Scenario): boolean {
  return placeOf(one) === placeOf(other);
}

/** What a scenario is beside its regime, its level in a ramp and its driver. */
function placeOf(scenario: Scenario): string {
  return scenarioKey(scenario, ['server', 'storage', 'path', 'clientNode', 'isNoiseFloor']);
}

/**
 * What a reader may compare with: every place that a server of the plan has, once, told by one of its scenarios; the
 * plan's own baseline tells its place. In the plan's order. The second measurement of a baseline is none.
 */
export function baselineChoices({
  scenarios,
  baselineId,
}: Pick<Plan, 'scenarios' | 'baselineId'>): Scenario[] {
  const choices = new Map<string, Scenario>();
  for (const scenario of scenarios) {
    const place = placeOf(scenario);
    if (!scenario.isNoiseFloor && (!choices.has(place) || scenario.id === baselineId)) {
      choices.set(place, scenario);
    }
  }
  return [...choices.values()];
}

/** The plan with the baselines that an analysis compares with, for whatever groups scenarios by them. */
export function comparedPlan(
  plan: Plan,
  { scenarios, baselineId }: Pick<Analysis, 'scenarios' | 'baselineId'>,
): Plan {
  const byId = new Map(scenarios.map((one) => [one.id, one]));
  return {
    ...plan,
    baselineId,
    scenarios: plan.scenarios.map((scenario) => {
      const own = byId.get(scenario.id);
      if (own === undefined) return scenario;
      return { ...scenario, baselineId: own.baselineId, isBaseline: own.isBaseline };
    }),
  };
}

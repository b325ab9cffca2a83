import type { Analysis } from '../model/analysis.ts';
import { scenarioKey, type Plan, type Scenario } from '../model/plan.ts';

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

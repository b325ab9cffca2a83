import type { Analysis, ScenarioAnalysis } from './analysis.ts';
import { grouped } from './grouped.ts';
import { partsOfServer } from '../model/server-spec.ts';
import { keyWithout } from '../model/factors.ts';
import type { Plan, SaidParts, Scenario } from '../model/plan.ts';

export const NOTHING_SAID: SaidParts = { server: null, loadGenerator: null, connections: null };

type Compared = Pick<Scenario, 'baselineId' | 'label'>;

/** Scenarios with the same baseline, and what these alone have in common. */
export interface Comparison<S extends Compared = ScenarioAnalysis> extends SaidParts {
  baselineId: string;
  scenarios: S[];
}

export function comparisonsOf<S extends Compared>({
  scenarios,
}: {
  scenarios: readonly S[];
}): Comparison<S>[] {
  const byBaseline = grouped(scenarios, ({ baselineId }) => [baselineId]);
  return [...byBaseline].map(([baselineId, own]) => ({
    baselineId,
    server: ownOf(own, scenarios, ({ label }) => label.server),
    loadGenerator: ownOf(own, scenarios, ({ label }) => label.loadGenerator),
    connections: ownOf(own, scenarios, ({ label }) => label.connections),
    scenarios: own,
  }));
}

/** Null if these scenarios differ, or are like all others. */
function ownOf<S, T>(own: readonly S[], all: readonly S[], read: (one: S) => T | null): T | null {
  const [value, ...others] = new Set(own.map(read));
  return others.length > 0 || all.every((one) => read(one) === value) ? null : (value ?? null);
}

/** A cache, as every row of every table looks up its own. */
const known = new WeakMap<readonly ScenarioAnalysis[], ReadonlyMap<string, Comparison>>();

export function comparisonOf(analysis: Pick<Analysis, 'scenarios'>, scenarioId: string): Comparison {
  let byScenario = known.get(analysis.scenarios);
  if (byScenario === undefined) {
    byScenario = new Map(
      comparisonsOf(analysis).flatMap((one) => one.scenarios.map(({ id }) => [id, one] as const)),
    );
    known.set(analysis.scenarios, byScenario);
  }
  return byScenario.get(scenarioId) ?? { baselineId: scenarioId, ...NOTHING_SAID, scenarios: [] };
}

/** Scenarios without a counterpart of the chosen baseline keep their own. */
export function baselines(scenarios: Scenario[], chosen: string | undefined): (scenario: Scenario) => string {
  if (chosen === undefined) return ({ baselineId }) => baselineId;
  const wanted = scenarios.find(({ id }) => id === chosen);
  if (wanted === undefined) return () => chosen;
  const counterparts = [wanted, ...scenarios].filter((one) => placeOf(one) === placeOf(wanted));
  return ({ server, connections, loadGenerator, baselineId }) => {
    const { pool } = partsOfServer(server);
    const own = counterparts.filter(
      (one) => partsOfServer(one.server).pool === pool && one.connections === connections,
    );
    const found = own.find((one) => one.loadGenerator === loadGenerator) ?? own[0];
    return found?.id ?? baselineId;
  };
}

export function isSamePlace(one: Scenario, other: Scenario): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf(scenario: Scenario): string {
  const { server = null } = partsOfServer(scenario.server);
  return keyWithout({ ...scenario, server }, 'loadGenerator', 'connections');
}

export function baselineChoices({
  scenarios,
  baselineId,
}: Pick<Plan, 'scenarios' | 'baselineId'>): Scenario[] {
  const choices = new Map<string, Scenario>();
  for (const scenario of scenarios) {
    const place = placeOf(scenario);
    if (!scenario.isAaRepeat && (!choices.has(place) || scenario.id === baselineId)) {
      choices.set(place, scenario);
    }
  }
  return [...choices.values()];
}

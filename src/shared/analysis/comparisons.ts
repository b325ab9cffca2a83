import type { Analysis, ScenarioAnalysis } from './analysis.ts';
import { grouped } from './grouped.ts';
import { partsOfServer } from '../model/server-spec.ts';
import { levelsOf, type Plan, type SaidParts, type Scenario, scenarioKey } from '../model/plan.ts';

/** Scenarios with the same baseline: a whole run, or those in one buffer-pool size, of one load generator, or sweep level. */
export interface Comparison extends SaidParts {
  baselineId: string;
  scenarios: ScenarioAnalysis[];
}

export function comparisonsOf({ scenarios }: Pick<Analysis, 'scenarios'>): Comparison[] {
  const byBaseline = grouped(scenarios, ({ baselineId }) => [baselineId]);
  const several = byBaseline.size > 1;
  const isSweep = levelsOf(scenarios).length > 1;
  const hasLoadGenerators = new Set(scenarios.map(({ loadGenerator }) => loadGenerator)).size > 1;
  return [...byBaseline].map(([baselineId, own]) => ({
    baselineId,
    server: several ? shared(own.map(({ label }) => label.server)) : null,
    loadGenerator:
      several && hasLoadGenerators ? shared(own.map(({ loadGenerator }) => loadGenerator)) : null,
    connections: isSweep ? (own[0]?.connections ?? null) : null,
    scenarios: own,
  }));
}

/** By scenario: every row of every table asks for its own. */
const known = new WeakMap<readonly ScenarioAnalysis[], ReadonlyMap<string, Comparison>>();

export function comparisonOf(analysis: Pick<Analysis, 'scenarios'>, scenarioId: string): Comparison {
  let byScenario = known.get(analysis.scenarios);
  if (byScenario === undefined) {
    byScenario = new Map(
      comparisonsOf(analysis).flatMap((one) => one.scenarios.map(({ id }) => [id, one] as const)),
    );
    known.set(analysis.scenarios, byScenario);
  }
  return (
    byScenario.get(scenarioId) ?? {
      baselineId: scenarioId,
      server: null,
      loadGenerator: null,
      connections: null,
      scenarios: [],
    }
  );
}

function shared<T>(values: T[]): T | null {
  const [first, ...others] = values;
  return first === undefined || others.some((one) => one !== first) ? null : first;
}

/** A chosen baseline applies to its counterparts; scenarios without one keep their own. */
export function baselines(scenarios: Scenario[], chosen: string | undefined): (scenario: Scenario) => string {
  if (chosen === undefined) return ({ baselineId }) => baselineId;
  const wanted = scenarios.find(({ id }) => id === chosen);
  if (wanted === undefined) return () => chosen;
  const counterparts = scenarios.filter((one) => placeOf(one) === placeOf(wanted));
  return ({ server, connections, loadGenerator, baselineId }) => {
    const { pool } = partsOfServer(server);
    const own = counterparts.filter(
      (one) => partsOfServer(one.server).pool === pool && one.connections === connections,
    );
    const found =
      own.find(({ id }) => id === chosen && loadGenerator === wanted.loadGenerator) ??
      own.find((one) => one.loadGenerator === loadGenerator) ??
      own.find((one) => one.loadGenerator === wanted.loadGenerator);
    return found?.id ?? baselineId;
  };
}

export function isSamePlace(one: Scenario, other: Scenario): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf(scenario: Scenario): string {
  const { server = null } = partsOfServer(scenario.server);
  return scenarioKey({ ...scenario, server }, ['engine', 'server', 'storage', 'path', 'isAaRepeat']);
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

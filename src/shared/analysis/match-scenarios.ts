import { levelsOf, type Plan, type Scenario } from '../model/plan.ts';

type Matched = Pick<Plan, 'scenarios'>;

/**
 * For each plan a key for each of its scenarios, by id; what has the same key in two plans is the same experiment on
 * two machines or days: the same storage, path, driver, regime and named server, and in a ramp the same level. Settings
 * and data are conditions of whole runs and no part of it. Scenarios that one plan has twice by that are told apart by
 * id.
 */
export function matchKeys(plans: readonly Matched[]): Map<string, string>[] {
  const isRamp = plans.some(({ scenarios }) => levelsOf(scenarios).length > 1);
  return plans.map(({ scenarios }) => {
    const keys = new Map(scenarios.map((one) => [one.id, keyOf(one, isRamp)]));
    const counts = new Map<string, number>();
    for (const key of keys.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
    return new Map([...keys].map(([id, key]) => [id, (counts.get(key) ?? 0) > 1 ? `${key} ${id}` : key]));
  });
}

function keyOf(scenario: Scenario, isRamp: boolean): string {
  const { server, regime, storage, path, driver, connections, clientNode, isNoiseFloor } = scenario;
  return JSON.stringify([
    server,
    regime,
    storage.kind,
    storage.name ?? null,
    path,
    // Which node it is differs from swarm to swarm.
    clientNode !== null,
    driver,
    isRamp ? connections : null,
    isNoiseFloor,
  ]);
}

import type { ExcludedScenario, Plan, Scenario } from '../shared/model/plan.ts';
import { levelNameIn } from '../shared/words/level-names.ts';
import { levelsOf, withoutLevel } from '../shared/model/ramp-levels.ts';
import { regimeName } from '../shared/preset/regimes.ts';

/**
 * Scenarios that are compared with one baseline, in the preset's order: all, or those of a regime, a driver or a level.
 */
export interface ScenarioGroup {
  baselineId: string;
  /** The regime's id; null when the preset has none. */
  regime: string | null;
  /** The level; null when the plan has no ramp. */
  connections: number | null;
  /** For people; null when there is only one group. */
  name: string | null;
  scenarios: Scenario[];
  /** The scenarios, and in their places those that can't run here. */
  rows: GroupRow[];
}

export type GroupRow =
  { runs: true; id: string; scenario: Scenario } | { runs: false; id: string; excluded: ExcludedScenario };

type Grouped = Pick<Plan, 'scenarios' | 'excluded' | 'setups'>;

/** The groups of a plan; what can't run stands behind the scenario that it is most like. */
export function scenarioGroups(plan: Grouped): ScenarioGroup[] {
  const baselines = [...new Set(plan.scenarios.map(({ baselineId }) => baselineId))];
  const isRamp = levelsOf(plan.scenarios).length > 1;
  const groups = baselines.map((baselineId): ScenarioGroup => {
    const scenarios = plan.scenarios.filter((one) => one.baselineId === baselineId);
    const rows = scenarios.map((scenario): GroupRow => ({ runs: true, id: scenario.id, scenario }));
    const regime = scenarios[0]?.regime ?? null;
    const connections = isRamp ? (scenarios[0]?.connections ?? null) : null;
    const name = groupName(plan, scenarios, connections);
    return { baselineId, regime, connections, name, scenarios, rows };
  });
  for (const excluded of plan.excluded) {
    const beside = groups.filter(({ connections }) => inLevel(excluded.id, connections) !== undefined);
    const { rows } = beside.find((group) => belongsTo(excluded.id, group)) ??
      beside[0] ??
      groups[0] ?? { rows: [] };
    rows.splice(placeFor(excluded.id, rows), 0, { runs: false, id: excluded.id, excluded });
  }
  return groups;
}

/** A scenario's name without what its group is headed with. */
export function nameInGroup(name: string, group: Pick<ScenarioGroup, 'name'>): string {
  return group.name === null ? name : name.replace(`, ${group.name}`, '');
}

/** What the scenarios of a group are compared with. */
export function baselineName(group: ScenarioGroup): string {
  const baseline = group.scenarios.find(({ id }) => id === group.baselineId);
  return nameInGroup(baseline?.name ?? group.baselineId, group);
}

/** As plans end the names of scenarios: the driver where there are two groups of drivers, the regime, the level. */
function groupName(plan: Grouped, scenarios: Scenario[], level: number | null): string | null {
  const [first] = scenarios;
  if (first === undefined) return null;
  const beside = plan.scenarios.filter(
    ({ regime, connections }) => regime === first.regime && connections === first.connections,
  );
  const isByDriver = beside.some(({ baselineId }) => baselineId !== first.baselineId);
  const parts = [
    ...(isByDriver ? [first.driver] : []),
    ...(first.regime === null ? [] : [regimeName(plan.setups, first.regime)]),
    ...(level === null ? [] : [levelNameIn(first.name, level)]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** Ids end with their driver, where several are named, their regime, and in a ramp their level. */
function belongsTo(id: string, { regime, connections, scenarios }: ScenarioGroup): boolean {
  const own = inLevel(id, connections) ?? '';
  if (regime !== null) return own.endsWith(`.${regime}`);
  return scenarios.some(({ driver }) => own.endsWith(`.${driver}`));
}

/** The id without its level; undefined when it is of another. */
function inLevel(id: string, connections: number | null): string | undefined {
  return connections === null ? id : withoutLevel(id, connections);
}

function placeFor(id: string, rows: GroupRow[]): number {
  const shared = rows.map((row) => sharedParts(row.id, id));
  const most = Math.max(0, ...shared);
  return most === 0 ? rows.length : shared.lastIndexOf(most) + 1;
}

/** How many parts two ids begin with alike. */
function sharedParts(one: string, other: string): number {
  const parts = other.split('.');
  const differs = one.split('.').findIndex((part, index) => part !== parts[index]);
  return differs === -1 ? parts.length : differs;
}

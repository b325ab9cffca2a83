import type { ExcludedScenario, Plan, Scenario } from '../shared/model/plan.ts';

/** What a plan runs in one regime, in the preset's order; without regimes there is one group. */
export interface ScenarioGroup {
  /** The regime's id; null when the preset has none. */
  regime: string | null;
  /** For people; null without a regime. */
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
  const regimes = [...new Set(plan.scenarios.map(({ regime }) => regime))];
  return regimes.map((regime) => {
    const scenarios = plan.scenarios.filter((one) => one.regime === regime);
    const rows = scenarios.map((scenario): GroupRow => ({ runs: true, id: scenario.id, scenario }));
    const left = plan.excluded.filter((one) => regimeOfExcluded(one.id, regimes) === regime);
    for (const excluded of left) {
      rows.splice(placeFor(excluded.id, rows), 0, { runs: false, id: excluded.id, excluded });
    }
    return { regime, name: regime === null ? null : regimeName(plan, regime), scenarios, rows };
  });
}

/** A scenario's name without the regime that its group is headed with. */
export function nameInGroup(name: string, group: Pick<ScenarioGroup, 'name'>): string {
  return group.name === null ? name : name.replace(`, ${group.name}`, '');
}

/** What the scenarios of a group are compared with: one baseline, or one a driver. */
export function baselineNames(
  group: Pick<ScenarioGroup, 'name' | 'scenarios'>,
  baselineIds: string[],
): string {
  const ids = new Set(baselineIds);
  return group.scenarios
    .filter(({ id }) => ids.has(id))
    .map(({ name }) => nameInGroup(name, group))
    .join(' / ');
}

/** What people call a regime: the setups that run in it are named after it. */
function regimeName({ setups }: Pick<Plan, 'setups'>, regime: string): string {
  const own = setups.find(({ id }) => id === `default.${regime}`);
  if (own !== undefined && own.name !== null) return own.name;
  const named = setups.find(({ id, name }) => id.endsWith(`.${regime}`) && name !== null);
  return named?.name?.split(', ').at(-1) ?? regime;
}

/** Ids end with their regime; what belongs to none that runs stands with the first. */
function regimeOfExcluded(id: string, regimes: (string | null)[]): string | null {
  return regimes.find((regime) => regime !== null && id.endsWith(`.${regime}`)) ?? regimes[0] ?? null;
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

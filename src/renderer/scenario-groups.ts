import { type Comparison, comparisonsOf } from '../shared/analysis/comparisons.ts';
import { levelOf } from '../shared/model/factors.ts';
import type { ExcludedScenario, Plan, Scenario, ScenarioLabel } from '../shared/model/plan.ts';
import type { Translate } from '../shared/words/i18n.ts';
import { labelText, partsText } from '../shared/words/labels.ts';

/** The heading has the parts that scenarios' names leave out. */
export interface ScenarioGroup extends Comparison<Scenario> {
  name: string | null;
  rows: GroupRow[];
}

export type GroupRow =
  { runs: true; id: string; scenario: Scenario } | { runs: false; id: string; excluded: ExcludedScenario };

type Grouped = Pick<Plan, 'scenarios' | 'excluded'>;

/** An excluded scenario follows the one most like it. */
export function scenarioGroups(plan: Grouped, t: Translate): ScenarioGroup[] {
  const groups = comparisonsOf(plan).map((comparison): ScenarioGroup => {
    const rows = comparison.scenarios.map((scenario): GroupRow => ({
      runs: true,
      id: scenario.id,
      scenario,
    }));
    return { ...comparison, name: partsText(comparison, t) || null, rows };
  });
  for (const excluded of plan.excluded) {
    const likeness = groups.map((group) => likenessTo(excluded, group));
    const { rows } = groups[likeness.indexOf(Math.max(...likeness))] ?? { rows: [] };
    rows.splice(placeFor(excluded, rows), 0, { runs: false, id: excluded.id, excluded });
  }
  return groups;
}

export function nameInGroup({ label }: { label: ScenarioLabel }, group: ScenarioGroup, t: Translate): string {
  return labelText(label, t, group);
}

export function baselineName(group: ScenarioGroup, t: Translate): string {
  const baseline = group.scenarios.find(({ id }) => id === group.baselineId);
  return baseline === undefined ? group.baselineId : nameInGroup(baseline, group, t);
}

function likenessTo(excluded: ExcludedScenario, { connections, scenarios }: ScenarioGroup): number {
  return [
    connections === null || connections === excluded.connections,
    scenarios.some(({ server }) => server === excluded.server),
    scenarios.some(({ loadGenerator }) => loadGenerator === excluded.loadGenerator),
  ].reduce((sum, isAlike) => 2 * sum + Number(isAlike), 0);
}

function placeFor(excluded: ExcludedScenario, rows: GroupRow[]): number {
  const shared = rows.map((row) => {
    const other = row.runs ? row.scenario : row.excluded;
    const differs = PLACE.findIndex((factor) => levelOf(other, factor) !== levelOf(excluded, factor));
    return differs === -1 ? PLACE.length : differs;
  });
  const most = Math.max(...shared);
  return most <= (excluded.server === null ? 1 : 0) ? rows.length : shared.lastIndexOf(most) + 1;
}

const PLACE = ['server', 'storage', 'path', 'loadGenerator', 'engine'] as const;

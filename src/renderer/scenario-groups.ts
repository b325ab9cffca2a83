import {
  type ExcludedScenario,
  levelsOf,
  type Plan,
  type SaidParts,
  type Scenario,
  type ScenarioLabel,
} from '../shared/model/plan.ts';
import type { Translate } from '../shared/words/i18n.ts';
import { labelText, partsText } from '../shared/words/labels.ts';

export interface ScenarioGroup {
  baselineId: string;
  connections: number | null;
  /** In the heading, and so not in names. */
  said: SaidParts;
  name: string | null;
  scenarios: Scenario[];
  rows: GroupRow[];
}

export type GroupRow =
  { runs: true; id: string; scenario: Scenario } | { runs: false; id: string; excluded: ExcludedScenario };

type Grouped = Pick<Plan, 'scenarios' | 'excluded'>;

/** An excluded scenario follows the one most like it. */
export function scenarioGroups(plan: Grouped, t: Translate): ScenarioGroup[] {
  const baselines = [...new Set(plan.scenarios.map(({ baselineId }) => baselineId))];
  const isSweep = levelsOf(plan.scenarios).length > 1;
  const groups = baselines.map((baselineId): ScenarioGroup => {
    const scenarios = plan.scenarios.filter((one) => one.baselineId === baselineId);
    const rows = scenarios.map((scenario): GroupRow => ({ runs: true, id: scenario.id, scenario }));
    const connections = isSweep ? (scenarios[0]?.connections ?? null) : null;
    const said = saidBy(plan, scenarios, isSweep);
    const name = partsText(said, t);
    return { baselineId, connections, said, name: name === '' ? null : name, scenarios, rows };
  });
  for (const excluded of plan.excluded) {
    const likeness = groups.map((group) => likenessTo(excluded, group));
    const { rows } = groups[likeness.indexOf(Math.max(...likeness))] ?? { rows: [] };
    rows.splice(placeFor(excluded, rows), 0, { runs: false, id: excluded.id, excluded });
  }
  return groups;
}

export function nameInGroup(
  { label }: { label: ScenarioLabel },
  { said }: Pick<ScenarioGroup, 'said'>,
  t: Translate,
): string {
  return labelText(label, t, said);
}

export function baselineName(group: ScenarioGroup, t: Translate): string {
  const baseline = group.scenarios.find(({ id }) => id === group.baselineId);
  return baseline === undefined ? group.baselineId : nameInGroup(baseline, group, t);
}

function saidBy(plan: Grouped, own: Scenario[], isSweep: boolean): SaidParts {
  const [first] = own;
  if (first === undefined) return { server: null, loadGenerator: null, connections: null };
  const alike = plan.scenarios.filter(({ connections }) => connections === first.connections);
  const others = alike.filter(({ baselineId }) => baselineId !== first.baselineId);
  const isByLoadGenerator = others.some(({ server }) => server === first.server);
  const isByServer = others.length > 0 && own.every(({ server }) => server === first.server);
  return {
    loadGenerator: isByLoadGenerator ? first.loadGenerator : null,
    server: isByServer ? first.label.server : null,
    connections: isSweep ? first.connections : null,
  };
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
    const differs = PLACE.findIndex((field) => other[field] !== excluded[field]);
    return differs === -1 ? PLACE.length : differs;
  });
  const most = Math.max(...shared);
  return most <= (excluded.server === null ? 1 : 0) ? rows.length : shared.lastIndexOf(most) + 1;
}

const PLACE = ['server', 'storageId', 'path', 'loadGenerator', 'engine'] as const;

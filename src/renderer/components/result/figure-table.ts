import type { ScenarioAnalysis } from '../../../shared/model/analysis.ts';
import type { ServerState } from '../../../shared/model/run-state.ts';
import { figureOf, isFigure } from '../../../shared/words/figures.ts';

export const NAME_COLUMN = 'scenario';

export interface SortOrder {
  column: string;
  direction: 'ascending' | 'descending';
}

export function nextOrder(order: SortOrder | undefined, column: string): SortOrder | undefined {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

export function sortedScenarios(
  scenarios: readonly ScenarioAnalysis[],
  order: SortOrder | undefined,
  language: string,
): ScenarioAnalysis[] {
  if (order === undefined) return [...scenarios];
  const sign = order.direction === 'ascending' ? 1 : -1;
  if (order.column === NAME_COLUMN) {
    const { compare } = new Intl.Collator(language, { numeric: true });
    return [...scenarios].sort((a, b) => sign * compare(a.name, b.name));
  }
  const value = isFigure(order.column) ? figureOf(order.column).value : () => null;
  return [...scenarios].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
}

/** Variables of the started servers; servers that agree in all of them share a column. */
interface VariableTable {
  groups: { servers: string[] }[];
  rows: { name: string; values: (string | null)[]; differs: boolean }[];
}

export function variableTable(servers: Record<string, ServerState>): VariableTable {
  const groups = new Map<string, { servers: string[]; variables: Record<string, string> }>();
  for (const [id, { facts }] of Object.entries(servers)) {
    if (facts === null) continue;
    const key = JSON.stringify(Object.entries(facts.variables).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { servers: [id], variables: facts.variables });
    else known.servers.push(id);
  }
  const all = [...groups.values()];
  const names = [...new Set(all.flatMap(({ variables }) => Object.keys(variables)))].sort();
  return {
    groups: all,
    rows: names.map((name) => {
      const values = all.map(({ variables }) => variables[name] ?? null);
      return { name, values, differs: new Set(values).size > 1 };
    }),
  };
}

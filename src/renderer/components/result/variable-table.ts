import type { ServerState } from '../../../shared/model/run-state.ts';

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

import type { ServerState } from '../../../shared/model/run-state.ts';

/** Variables that servers were asked for after their start; servers that agree in all of them share a column. */
export interface VariableTable {
  groups: { servers: string[] }[];
  /** By name; null: that server does not know the variable. */
  rows: { name: string; values: (string | null)[]; differs: boolean }[];
}

/** The variables of all servers; servers that agree in all of them stand together. */
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

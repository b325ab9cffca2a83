import type { TestServer } from '../helpers/docker-server.ts';

/** What the server itself counted, by statement; `Com_select` → `select`. */
export type Counters = Record<
  'begin' | 'commit' | 'rollback' | 'select' | 'update' | 'delete' | 'insert',
  number
>;

export async function counters(server: TestServer): Promise<Counters> {
  const rows = await server.asRoot("SHOW GLOBAL STATUS LIKE 'Com\\_%'");
  const all = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), Number(value)]));
  const of = (name: string): number => all.get(`com_${name}`) ?? NaN;
  return {
    begin: of('begin'),
    commit: of('commit'),
    rollback: of('rollback'),
    select: of('select'),
    update: of('update'),
    delete: of('delete'),
    insert: of('insert'),
  };
}

export function difference(after: Counters, before: Counters): Counters {
  const less = (name: keyof Counters): number => after[name] - before[name];
  return {
    begin: less('begin'),
    commit: less('commit'),
    rollback: less('rollback'),
    select: less('select'),
    update: less('update'),
    delete: less('delete'),
    insert: less('insert'),
  };
}

/** How many connections of the load are open on the server. */
export async function openConnections(server: TestServer): Promise<number> {
  const [row] = await server.asRoot(
    `SELECT COUNT(*) FROM information_schema.processlist WHERE user = '${server.target.user}'`,
  );
  return Number(row?.[0]);
}

/** The same, once the server has noticed that they are closed, which it does by itself and within milliseconds. */
export async function openConnectionsSoon(server: TestServer): Promise<number> {
  let open = await openConnections(server);
  for (let i = 0; i < 20 && open > 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    open = await openConnections(server);
  }
  return open;
}

import type { TestServer } from '../helpers/docker-server.ts';

const NAMES = [
  'begin',
  'commit',
  'rollback',
  'select',
  'update',
  'delete',
  'insert',
  'stmt_prepare',
  'stmt_execute',
] as const;

/** The server's own counts, by statement: `select` is its `Com_select`. */
export type Counters = Record<(typeof NAMES)[number], number>;

function collect(of: (name: keyof Counters) => number): Counters {
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Counters;
}

/** Between loads: MariaDB adds a connection's counts to the sum when it closes, and for a moment they are in neither. */
export async function counters(server: TestServer): Promise<Counters> {
  await openConnectionsSoon(server);
  const rows = await server.asRoot("SHOW GLOBAL STATUS LIKE 'Com\\_%'");
  const all = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), Number(value)]));
  return collect((name) => all.get(`com_${name}`) ?? NaN);
}

export function difference(after: Counters, before: Counters): Counters {
  return collect((name) => after[name] - before[name]);
}

/** The number of the load's connections that are open on the server. */
export async function openConnections(server: TestServer): Promise<number> {
  // No SELECT, which would count as one of the load's.
  const rows = await server.asRoot('SHOW PROCESSLIST');
  return rows.filter(([, user]) => user === server.target.user).length;
}

/** Their number once the server has noticed that they are closed, which takes it milliseconds of CPU. */
export async function openConnectionsSoon(server: TestServer): Promise<number> {
  const until = Date.now() + 60_000;
  for (;;) {
    const open = await openConnections(server);
    if (open === 0 || Date.now() > until) return open;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { createServer, docker, TestServer, type Flavour } from '../helpers/docker-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the servers of this run of the tests are labelled with. */
    loadServers: string;
    /** The load client of today's sources. */
    clientFile: string;
  }
}

export const FLAVOURS: readonly Flavour[] = ['mysql', 'mariadb'];
/** Where a server's socket is; a volume, for containers with `--volumes-from`. */
export const SOCKETS = '/var/run/mysqld';

const LABEL = 'io.whalemark.test-load';
/** What the tests need together. Many transactions in a short time; what is flushed when is no matter here. */
const OPTIONS = ['--innodb-flush-log-at-trx-commit=0', '--max-allowed-packet=64M'];

/** The tag of what only the full run tests; none when `only` is false. */
export const full = (only = true): { tags?: string[] } => (only ? { tags: ['full'] } : {});

/** The servers of a run that keeps them for the next one, in this working tree and with these options. */
export function keptServers(): string {
  const what = JSON.stringify([process.cwd(), OPTIONS]);
  return `kept-${createHash('sha256').update(what).digest('hex').slice(0, 12)}`;
}

function containersOf(servers: string, flavour?: Flavour): Promise<string[]> {
  const filters = [`label=${LABEL}=${servers}`];
  if (flavour !== undefined) filters.push(`label=${LABEL}.flavour=${flavour}`);
  const options = filters.flatMap((filter) => ['--filter', filter]);
  return docker('ps', '--all', '--quiet', '--no-trunc', ...options).then((ids) =>
    ids.split('\n').filter(Boolean),
  );
}

/** Removes servers with all that they hold. */
export async function removeServers(servers: string): Promise<void> {
  const ids = await containersOf(servers);
  if (ids.length > 0) await docker('rm', '--force', '--volumes', ...ids);
}

/**
 * The one server of a flavour that all files share, for the tests of a `describe` or a file: it is started by the first
 * of them, and its schema is empty when they begin. Who stops or changes it puts it back.
 */
export function useServer(flavour: Flavour): TestServer {
  const server = new TestServer(flavour, () => sharedId(flavour));
  beforeAll(async () => {
    await server.start();
    await server.clear();
  });
  afterAll(() => server.disconnect());
  return server;
}

async function sharedId(flavour: Flavour): Promise<string> {
  const servers = inject('loadServers');
  const [found] = await containersOf(servers, flavour);
  if (found !== undefined) return found;
  const labels = ['--label', `${LABEL}=${servers}`, '--label', `${LABEL}.flavour=${flavour}`];
  return createServer(flavour, OPTIONS, { dockerOptions: [...labels, '--volume', SOCKETS] });
}

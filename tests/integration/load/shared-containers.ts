import { createHash } from 'node:crypto';
import { createServer, docker, type Flavor } from '../helpers/docker-server.ts';

/** The folder of a server's socket, which is a volume for containers with `--volumes-from`. */
export const SOCKETS = '/var/run/mysqld';

const LABEL = 'io.whalemark.test-load';
/** Options for many transactions in a short time: flushing doesn't matter to these tests. */
const OPTIONS = ['--innodb-flush-log-at-trx-commit=0', '--max-allowed-packet=64M'];

const hash = (what: unknown): string =>
  createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 12);

/** The servers of a run that keeps them for the next one in this working tree. */
export const keptServers = (): string => `kept-${hash(process.cwd())}`;

async function containersWith(labels: string[]): Promise<string[]> {
  const filters = labels.flatMap((label) => ['--filter', `label=${label}`]);
  const ids = await docker('ps', '--all', '--quiet', '--no-trunc', ...filters);
  return ids.split('\n').filter(Boolean);
}

/** Removes servers with all that they hold. */
export async function removeServers(servers: string): Promise<void> {
  const ids = await containersWith([`${LABEL}=${servers}`]);
  if (ids.length > 0) await docker('rm', '--force', '--volumes', ...ids);
}

/** Finds or creates the server of a flavor of this run. Resolves with the container's id. */
export async function sharedServer(servers: string, flavor: Flavor): Promise<string> {
  const labels = [`${LABEL}=${servers}`, `${LABEL}.server=${flavor}-${hash(OPTIONS)}`];
  const [found] = await containersWith(labels);
  if (found !== undefined) return found;
  const dockerOptions = [...labels.flatMap((label) => ['--label', label]), '--volume', SOCKETS];
  return createServer(flavor, OPTIONS, { dockerOptions });
}

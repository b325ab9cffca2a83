import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SqlConnection } from '../../../src/benchmark/load/node/connection.ts';
import { checkConnection } from '../../../src/benchmark/load/client/connection-check.ts';
import type { LoadTarget } from '../../../src/benchmark/load/driver.ts';

const run = promisify(execFile);

/** What tests left behind is found by this label; no run of Whalemark takes it for its own. */
const LABEL = 'io.whalemark.owner=test';
const PASSWORD = 'test-password';

/** The docker command; resolves with what it printed. */
export async function docker(...args: string[]): Promise<string> {
  return (await run('docker', args, { maxBuffer: 64 * 2 ** 20 })).stdout.trim();
}

/** The server images of this machine, as the set-up names them, or the official ones. */
const IMAGES = {
  mysql: process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'whalemark-test/mysql:debian-sid',
  mariadb: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'whalemark-test/mariadb:debian-trixie',
};
export type Flavour = keyof typeof IMAGES;

export interface TestServer {
  flavour: Flavour;
  id: string;
  /** As the ordinary user of the schema `sbtest`, through a published port. */
  target: LoadTarget;
  /** From another container on the default bridge. */
  bridgeTarget: LoadTarget;
  /** The rows of a statement run as root. */
  asRoot(sql: string): Promise<unknown[][]>;
  /** Makes the schema `sbtest` empty. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a real server with the plain docker command and waits until it takes logins. */
export async function startServer(
  flavour: Flavour,
  options: string[] = [],
  { dockerOptions = [] }: { dockerOptions?: string[] } = {},
): Promise<TestServer> {
  const prefix = flavour === 'mysql' ? 'MYSQL' : 'MARIADB';
  const env = {
    ROOT_PASSWORD: PASSWORD,
    ROOT_HOST: '%',
    DATABASE: 'sbtest',
    USER: 'bench',
    PASSWORD,
    INITDB_SKIP_TZINFO: '1',
  };
  const id = await docker(
    'run',
    '--detach',
    '--label',
    LABEL,
    '--publish',
    '127.0.0.1::3306',
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${prefix}_${name}=${value}`]),
    ...dockerOptions,
    IMAGES[flavour],
    '--skip-log-bin',
    ...options,
  );
  const remove = async (): Promise<void> => {
    await docker('rm', '--force', '--volumes', id);
  };
  try {
    const [host = '', port = ''] = (await docker('port', id, '3306/tcp')).split('\n')[0]?.split(':') ?? [];
    const account = { user: 'bench', password: PASSWORD, database: 'sbtest' };
    const target = { host, port: Number(port), ...account };
    const address = await docker('inspect', '--format', '{{.NetworkSettings.IPAddress}}', id);
    const { signal } = new AbortController();
    await checkConnection(target, { path: 'test', budgetMs: 120_000, times: 3, signal });
    const asRoot = async (sql: string): Promise<unknown[][]> => {
      const connection = await SqlConnection.open({ ...target, user: 'root', database: 'mysql' });
      try {
        return await connection.rows(sql);
      } finally {
        await connection.close();
      }
    };
    return {
      flavour,
      id,
      target,
      bridgeTarget: { host: address, port: 3306, ...account },
      asRoot,
      clear: async () => {
        await asRoot('DROP DATABASE IF EXISTS sbtest');
        await asRoot('CREATE DATABASE sbtest');
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

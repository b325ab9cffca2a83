import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SqlConnection } from '../../../src/benchmark/load/builtin/connection.ts';
import { checkConnection } from '../../../src/benchmark/load/client/queries.ts';
import type { LoadTarget } from '../../../src/benchmark/load/load-client.ts';

const run = promisify(execFile);

/** Leftovers of tests are found by this label; no run of Whalemark takes them for its own. */
export const TEST_LABEL = 'io.whalemark.owner=test';
const PASSWORD = 'test-password';
const ACCOUNT = { user: 'bench', password: PASSWORD, database: 'sbtest' };

/** The docker command; resolves with what it printed. */
export async function docker(...args: string[]): Promise<string> {
  return (await run('docker', args, { maxBuffer: 64 * 2 ** 20 })).stdout.trim();
}

/** The server images of this machine, as the set-up names them, or the official ones. */
const IMAGES = {
  mysql: process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'whalemark-test/mysql:debian-sid',
  mariadb: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'whalemark-test/mariadb:debian-trixie',
};
export type Flavor = keyof typeof IMAGES;

/** A real server in a container. */
export class TestServer {
  readonly flavor: Flavor;
  readonly #container: () => Promise<string>;
  #id = '';
  #published = { host: '', port: 0 };
  #address = '';
  #root: SqlConnection | undefined;
  /** A connection takes one statement at a time. */
  #lastAsked: Promise<unknown> = Promise.resolve();

  /** `container` finds or creates it when the server is started for the first time. */
  constructor(flavor: Flavor, container: () => Promise<string>) {
    this.flavor = flavor;
    this.#container = container;
  }

  /** The container's id. */
  get id(): string {
    return this.#id;
  }

  /** The target of the ordinary user of the schema `sbtest`, through a published port. */
  get target(): LoadTarget {
    return { ...this.#published, ...ACCOUNT };
  }

  /** The target from another container on the default bridge. */
  get bridgeTarget(): LoadTarget {
    return { host: this.#address, port: 3306, ...ACCOUNT };
  }

  /** Starts the container unless it runs, and waits until it takes logins. A started container may have a new address. */
  async start(): Promise<void> {
    this.disconnect();
    this.#id ||= await this.#container();
    await docker('start', this.id);
    const [host = '', port = ''] =
      (await docker('port', this.id, '3306/tcp')).split('\n')[0]?.split(':') ?? [];
    this.#published = { host, port: Number(port) };
    this.#address = await docker('inspect', '--format', '{{.NetworkSettings.IPAddress}}', this.id);
    const { signal } = new AbortController();
    await checkConnection(this.target, { path: 'test', budgetMs: 120_000, times: 3, signal });
  }

  /** The server's process ends without a word; `start` brings it back. */
  async kill(): Promise<void> {
    await docker('kill', '--signal', 'KILL', this.id);
  }

  /** The rows of a statement run as root, after those that were asked before. */
  asRoot(sql: string): Promise<unknown[][]> {
    const asked = this.#lastAsked.then(async () => {
      this.#root ??= await SqlConnection.open({ ...this.target, user: 'root', database: 'mysql' });
      return this.#root.rows(sql);
    });
    this.#lastAsked = asked.catch(() => undefined);
    return asked;
  }

  /** Runs `action` with global variables of the server at other values. */
  async withGlobals<T>(values: Record<string, string | number>, action: () => Promise<T>): Promise<T> {
    const before = new Map<string, string>();
    for (const name of Object.keys(values)) {
      before.set(name, String((await this.asRoot(`SELECT @@GLOBAL.${name}`))[0]?.[0]));
    }
    const set = async (name: string, value: string | number): Promise<void> => {
      const literal = /^\d+$/.test(String(value)) ? value : `'${value}'`;
      await this.asRoot(`SET GLOBAL ${name} = ${literal}`);
    };
    try {
      for (const [name, value] of Object.entries(values)) await set(name, value);
      return await action();
    } finally {
      for (const [name, value] of before) await set(name, value);
    }
  }

  /** Ends all connections of the ordinary user, and makes the schema `sbtest` empty. */
  async clear(): Promise<void> {
    await this.endConnections();
    await this.asRoot('DROP DATABASE IF EXISTS sbtest');
    await this.asRoot('CREATE DATABASE sbtest');
  }

  /** A server continues with a statement whose client has left. */
  async endConnections(): Promise<void> {
    const ours = `SELECT id FROM information_schema.processlist WHERE user = '${ACCOUNT.user}'`;
    for (const [id] of await this.asRoot(ours)) {
      // The connection may have ended in between.
      await this.asRoot(`KILL ${Number(id)}`).catch(() => undefined);
    }
  }

  /** Ends Whalemark's connection; the next statement opens another. */
  disconnect(): void {
    this.#root?.destroy();
    this.#root = undefined;
  }

  async remove(): Promise<void> {
    this.disconnect();
    if (this.id !== '') await docker('rm', '--force', '--volumes', this.id);
  }
}

/** Creates a container of a real server with the plain docker command; it does not run yet. Resolves with its id. */
export function createServer(
  flavor: Flavor,
  options: string[] = [],
  { dockerOptions = [] }: { dockerOptions?: string[] } = {},
): Promise<string> {
  const prefix = flavor === 'mysql' ? 'MYSQL' : 'MARIADB';
  const env = {
    ROOT_PASSWORD: PASSWORD,
    ROOT_HOST: '%',
    DATABASE: ACCOUNT.database,
    USER: ACCOUNT.user,
    PASSWORD,
    INITDB_SKIP_TZINFO: '1',
  };
  return docker(
    'create',
    ...['--label', TEST_LABEL, '--publish', '127.0.0.1::3306'],
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${prefix}_${name}=${value}`]),
    ...dockerOptions,
    ...[IMAGES[flavor], '--skip-log-bin'],
    ...options,
  );
}

/** Starts a real server and waits until it takes logins. */
export async function startServer(...args: Parameters<typeof createServer>): Promise<TestServer> {
  const server = new TestServer(args[0], () => createServer(...args));
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.remove();
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { docker, TEST_LABEL } from './docker-server.ts';
import { untilReady } from './real-compose.ts';

export { untilReady };

const listOfWords = z.union([z.string().transform((text) => text.split(' ')), z.array(z.string())]);

/** What tests use of the Compose Specification; anything else fails. */
const composeSchema = z.strictObject({
  services: z.record(
    z.string(),
    z.strictObject({
      image: z.string(),
      environment: z.record(z.string(), z.string()),
      volumes: z.array(z.string()).default([]),
      tmpfs: listOfWords.default([]),
      network_mode: z.string().optional(),
      ports: z.array(z.string()).default([]),
      command: listOfWords.default([]),
      cpus: z.number().optional(),
      mem_limit: z.string().optional(),
      depends_on: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.strictObject({}).nullable()).default({}),
});

export interface ComposeOptions {
  /** Further options of the server. */
  more?: string[];
  project?: string;
  /** Of container and network; default: the project's name. */
  name?: string;
  /** Of the file; relative paths start there. */
  folder?: string;
}

/** Starts the service `db` of a file, until it takes logins, as `docker compose up` would; `undo` removes it, its volumes, and the network. */
export async function composeUp(
  text: string,
  { more = [], project = `whalemark-test-${randomUUID().slice(0, 8)}`, ...options }: ComposeOptions = {},
) {
  const { name: own = project, folder = '/' } = options;
  const { services, volumes } = composeSchema.parse(parse(text));
  const cleanups: (() => Promise<unknown>)[] = [];
  const network = `${own}_default`;
  await docker('network', 'create', '--label', TEST_LABEL, network);
  cleanups.push(() => docker('network', 'rm', network));
  for (const volume of Object.keys(volumes)) {
    await docker('volume', 'create', '--label', TEST_LABEL, `${project}_${volume}`);
    cleanups.push(() => docker('volume', 'rm', `${project}_${volume}`));
  }
  const mounted = (volume: string): string =>
    volume.startsWith('./') ? join(folder, volume) : volume.startsWith('/') ? volume : `${project}_${volume}`;
  const run = (name: string, command: string[], how: string[]): Promise<string> => {
    const service = services[name];
    if (service === undefined) throw new Error(`no service ${name}`);
    const mode = service.network_mode?.replace(/^service:(.*)$/, `container:${own}-$1`);
    return docker(
      ...['run', '--label', TEST_LABEL, ...how],
      ...Object.entries(service.environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ...service.volumes.flatMap((volume) => ['--volume', mounted(volume)]),
      ...service.tmpfs.flatMap((path) => ['--tmpfs', path]),
      ...service.ports.flatMap((port) => ['--publish', port]),
      ...(mode === undefined ? ['--network', network, '--network-alias', name] : ['--network', mode]),
      ...(service.cpus === undefined ? [] : ['--cpus', String(service.cpus)]),
      ...(service.mem_limit === undefined ? [] : ['--memory', service.mem_limit]),
      service.image,
      ...service.command,
      ...command,
    );
  };
  const db = `${own}-db`;
  const start = async (): Promise<void> => {
    await run('db', more, ['--detach', '--name', db]);
    await untilReady(db);
  };
  cleanups.push(() => docker('rm', '--force', '--volumes', db));
  const undo = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    await start();
  } catch (error) {
    await undo();
    throw error;
  }
  return {
    db,
    app: services['app'],
    undo,
    restart: async () => {
      await docker('rm', '--force', db);
      await start();
    },
    asApp: (command: string[]) => run('app', command, ['--rm']),
  };
}

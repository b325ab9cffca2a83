import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { LoadTarget } from '../../../src/benchmark/load/driver.ts';
import { HostNodeDriver } from '../../../src/benchmark/load/node/node-driver.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { createLabels } from '../../../src/benchmark/runtime/labels.ts';
import { chooseImage } from '../../../src/benchmark/target/image.ts';
import { serverOptions } from '../../../src/benchmark/target/server-options.ts';
import { DEFAULT_BUDGETS, Server } from '../../../src/benchmark/target/server.ts';
import { prepareStorage } from '../../../src/benchmark/target/storage.ts';
import { serverSettingsSchema } from '../../../src/shared/model/preset.ts';

export const CLIENT_FILE = resolve('out/main/client.cjs');

export interface TestServer {
  containerId: string;
  /** Network that a client container joins to reach `inside`. */
  network: string;
  target: LoadTarget;
  /** The same server as seen from its network. */
  inside: LoadTarget;
  /** Rows of a query as root. */
  query(sql: string): Promise<RowDataPacket[]>;
  /** Global status counters as numbers. */
  status(): Promise<Record<string, number>>;
  remove(): Promise<void>;
}

/** A real server of its own, initialised on a volume, for tests that need more than the benchmark's account. */
export async function startTestServer(runtime: ContainerRuntime, image: string): Promise<TestServer> {
  const choice = await chooseImage(runtime, image, false);
  const runId = `load-${randomBytes(4).toString('hex')}`;
  const name = `whalemark-${runId}`;
  const labels = createLabels({ runId, appVersion: '0.0.0-test', role: 'server' });
  const network = await runtime.createNetwork(name, labels);
  const storage = await prepareStorage(
    { kind: 'named-volume' },
    {
      runtime,
      name,
      image: choice.used,
      labels,
      bindRoot: '',
      mark: { owner: '', runId },
      datadirBytes: 0,
    },
  );
  const settings = serverSettingsSchema.parse({ bufferPoolMiB: 64, redoLogMiB: 64 });
  const [password, rootPassword] = [randomBytes(9).toString('hex'), randomBytes(9).toString('hex')];
  const prefix = choice.flavour === 'mariadb' ? 'MARIADB' : 'MYSQL';
  const server = await Server.create({
    runtime,
    id: 'test',
    name,
    image: choice.used,
    labels,
    options: serverOptions(
      { flavour: choice.flavour ?? 'mysql', version: choice.version ?? '' },
      settings,
      80,
    ),
    env: {
      [`${prefix}_ROOT_PASSWORD`]: rootPassword,
      [`${prefix}_DATABASE`]: 'sbtest',
      [`${prefix}_USER`]: 'whalemark',
      [`${prefix}_PASSWORD`]: password,
    },
    storage,
    storageName: 'named volume',
    attach: 'bridge',
    network,
    hostPort: 0,
    budgets: DEFAULT_BUDGETS,
    onLog: () => undefined,
  });
  const { signal } = new AbortController();
  const running = await server.start('initialisation', signal);
  const account = { user: 'whalemark', password, database: 'sbtest' };
  const target = { ...server.address('published-port', running.state), ...account };
  await new HostNodeDriver({ workerFile: CLIENT_FILE }).check(target, {
    path: 'published port',
    budgetMs: 30_000,
    times: 3,
    signal,
  });
  const query = async (sql: string): Promise<RowDataPacket[]> => {
    const connection = await createConnection({ ...target, user: 'root', password: rootPassword });
    try {
      return (await connection.query<RowDataPacket[]>(sql))[0];
    } finally {
      await connection.end();
    }
  };
  return {
    containerId: server.containerId,
    network,
    target,
    inside: { ...server.address('user-bridge', running.state), ...account },
    query,
    status: async () =>
      Object.fromEntries(
        (await query('SHOW GLOBAL STATUS')).map((row) => [
          String(row['Variable_name']),
          Number(row['Value']),
        ]),
      ),
    remove: async () => {
      await runtime.removeContainer(server.containerId);
      await storage.dispose();
      await runtime.removeNetwork(network);
    },
  };
}

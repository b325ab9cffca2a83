import { randomBytes } from 'node:crypto';
import { BenchmarkError } from '../../shared/errors.ts';
import type { ServerSetup } from '../../shared/model/plan.ts';
import { rowCount } from '../../shared/model/workload.ts';
import { directoryBytes, type Dataset } from '../dataset/dataset.ts';
import { unlessStopped } from '../stop.ts';
import { PATHS } from '../target/paths.ts';
import { Server } from '../target/server.ts';
import { initialisationEnv } from '../target/server-options.ts';
import { prepareStorage } from '../target/storage.ts';
import { STORAGE_NAMES } from '../target/storage-names.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import { serverBasics, storageContext } from './container-servers.ts';
import { step, type RunContext } from './context.ts';
import type { ServerImage } from './images.ts';

/**
 * Initialises a server of an image, fills the tables and shuts it down cleanly. The client is here, or beside a server
 * on an engine elsewhere.
 */
export async function loadDataset(
  context: RunContext,
  bench: Bench,
  setup: ServerSetup,
  image: ServerImage,
  cleanup: Cleanup,
): Promise<Dataset> {
  const { plan, runtime, signal } = context;
  const labels = bench.labels('dataset');
  const name = `dataset${bench.datasets.size + 1}`;
  const storage = await prepareStorage(
    { kind: 'named-volume' },
    { ...storageContext(context, bench, { setup, image }, name), labels },
  );
  cleanup.add('storage', storage.dispose);
  const server = await Server.create({
    ...serverBasics(context, bench, setup, image),
    id: name,
    name: `${bench.prefix}-${name}`,
    labels,
    env: initialisationEnv(image.flavour, {
      rootPassword: randomBytes(18).toString('base64url'),
      ...bench.account,
    }),
    storage,
    storageName: STORAGE_NAMES['named-volume'],
    attach: 'bridge',
    network: bench.networks.bridge,
    hostPort: 0,
    socketVolume: undefined,
    onLog: (lines) => context.emit({ type: 'server-log', serverId: name, lines }),
  });
  cleanup.add('container', () => runtime.removeContainer(server.containerId));

  const path = plan.passport.runtime.remote ? 'user-bridge' : 'published-port';
  const client = path === 'user-bridge' ? await bench.clients.onBridge() : bench.clients.here;
  const { running, target } = await step(context, 'init', image.used, async () => {
    const started = await server.start('initialisation', signal);
    const address = { ...started.address(path), ...bench.account };
    await Promise.race([
      started.failed,
      client.check(address, {
        path: PATHS[path].name,
        budgetMs: context.budgets.pathMs,
        times: 3,
        signal,
      }),
    ]);
    return { running: started, target: address };
  });
  const bytes = await step(context, 'load', image.used, async (progress) => {
    await Promise.race([
      running.failed,
      client.prepare(target, plan.workload, {
        seed: plan.seed,
        onProgress: (fraction) => progress({ fraction, detail: '' }),
        signal,
      }),
    ]);
    const size = await directoryBytes(runtime, server.containerId, storage.datadir);
    const exitCode = await unlessStopped(signal, running.stop(60));
    if (exitCode !== 0) {
      throw new BenchmarkError(
        'DATASET_FAILED',
        { reason: `the server did not shut down cleanly (exit code ${exitCode})` },
        { evidence: running.logTail() },
      );
    }
    return size;
  });
  context.emit({ type: 'dataset-loaded', bytes, rows: rowCount(plan.workload) });
  return { containerId: server.containerId, datadir: storage.datadir, bytes };
}

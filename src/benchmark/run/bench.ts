import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { BenchmarkError } from '../../shared/errors.ts';
import type { ImageChoice, Scenario } from '../../shared/model/plan.ts';
import { cloneDataset, directoryBytes, type Dataset } from '../dataset/dataset.ts';
import { ensureClientImage } from '../load/client-image.ts';
import type { LoadTarget } from '../load/driver.ts';
import { HostNodeDriver } from '../load/node/node-driver.ts';
import { prepareTables } from '../load/node/prepare.ts';
import { createLabels, ownOwner } from '../runtime/labels.ts';
import { unlessStopped } from '../stop.ts';
import { flushPageCache } from '../target/helper-container.ts';
import { chooseLocal } from '../target/image.ts';
import { PATHS } from '../target/paths.ts';
import { SLOW_READY_MS, Server } from '../target/server.ts';
import { initialisationEnv, serverOptions, startEnv, type ServerVersion } from '../target/server-options.ts';
import { STORAGE_NAMES, prepareStorage } from '../target/storage.ts';
import type { Cleanup } from './cleanup.ts';
import { isEngineLost, step, type RunContext } from './context.ts';
import { datadirBytes } from './plan.ts';

const SCHEMA = 'sbtest';
const USER = 'whalemark';

/** The server's image as content – a tag that moves during a run changes nothing – and what it is. */
interface ServerImage extends ServerVersion {
  id: string;
}

/** Everything that stands ready before the first trial. */
export interface Bench {
  /** By server id: the server, or why there is none. */
  servers: Map<string, Server | BenchmarkError>;
  server: ServerImage;
  /** Client image for paths that need a client container; undefined when no path does. */
  clientImage: string | undefined;
  network: string;
  credentials: Pick<LoadTarget, 'user' | 'password' | 'database'>;
  /** Prefix of everything this run creates. */
  prefix: string;
  labels: (role: string) => Record<string, string>;
}

/**
 * Fetches images, makes the network, loads the dataset once and clones it to every storage. What it creates is
 * handed to `cleanup` before anything else can fail. A server that can't be made stands in the result as its error;
 * only what concerns all of them rejects.
 */
export async function prepareBench(context: RunContext, cleanup: Cleanup): Promise<Bench> {
  const { plan, runtime, signal } = context;
  const labels = (role: string): Record<string, string> =>
    createLabels({ runId: context.runId, appVersion: context.appVersion, role });
  const prefix = `whalemark-${context.runId}`;

  const server = await fetchServerImage(context);
  const clientImage = plan.scenarios.some(({ placement }) => placement === 'container')
    ? await step(context, 'build', 'client', (progress) =>
        ensureClientImage(
          runtime,
          { files: context.clientImageFiles, labels: labels('client-image') },
          progress,
          signal,
        ),
      )
    : undefined;

  const network = await runtime.createNetwork(prefix, labels('network'));
  cleanup.add('network', () => runtime.removeNetwork(network));
  const password = randomBytes(18).toString('base64url');
  const bench: Bench = {
    servers: new Map(),
    server,
    clientImage,
    network,
    credentials: { user: USER, password, database: SCHEMA },
    prefix,
    labels,
  };
  const dataset = await loadDataset(context, bench, cleanup);
  for (const scenario of plan.scenarios) {
    if (bench.servers.has(scenario.serverId)) continue;
    bench.servers.set(scenario.serverId, await makeServer(context, bench, dataset, scenario, cleanup));
  }
  await flushPageCache({ runtime, name: prefix, image: server.id, labels: labels('helper') });
  return bench;
}

async function fetchServerImage(context: RunContext): Promise<ServerImage> {
  const { plan, runtime, signal } = context;
  const { requested, used } = plan.image;
  if (plan.image.imageId !== null) return serverImage(plan.image);
  await step(context, 'pull', used, (progress) => runtime.pullImage(used, progress, signal));
  const image = await runtime.inspectImage(used);
  if (image === undefined) {
    throw new BenchmarkError('IMAGE_NOT_FOUND', {
      image: used,
      reason: 'not there after the pull',
      local: '–',
    });
  }
  const resolved = chooseLocal(requested, used, image, null);
  context.emit({ type: 'image-resolved', image: resolved });
  return serverImage(resolved);
}

function serverImage({ imageId, used, flavour, version }: ImageChoice): ServerImage {
  if (imageId === null || flavour === null || version === null) {
    throw new BenchmarkError('IMAGE_UNKNOWN_FLAVOUR', { image: used });
  }
  return { id: imageId, flavour, version };
}

async function loadDataset(context: RunContext, bench: Bench, cleanup: Cleanup): Promise<Dataset> {
  const { plan, runtime, signal } = context;
  const storage = await prepareStorage(
    { kind: 'named-volume' },
    { ...storageContext(context, bench, 'dataset'), labels: bench.labels('dataset') },
  );
  cleanup.add('storage', storage.dispose);
  const server = await Server.create({
    ...serverBasics(context, bench),
    id: 'dataset',
    name: `${bench.prefix}-dataset`,
    labels: bench.labels('dataset'),
    env: initialisationEnv(bench.server.flavour, {
      rootPassword: randomBytes(18).toString('base64url'),
      ...bench.credentials,
    }),
    storage,
    storageName: STORAGE_NAMES['named-volume'],
    attach: 'bridge',
    hostPort: 0,
    onLog: (lines) => context.emit({ type: 'server-log', serverId: 'dataset', lines }),
  });
  cleanup.add('container', () => runtime.removeContainer(server.containerId));

  const running = await step(context, 'init', plan.image.used, async () => {
    const started = await server.start('initialisation', signal);
    const target = { ...server.address('published-port', started.state), ...bench.credentials };
    await Promise.race([
      started.failed,
      new HostNodeDriver({ workerFile: context.clientFile }).check(target, {
        path: PATHS['published-port'].name,
        budgetMs: context.budgets.pathMs,
        times: 3,
        signal,
      }),
    ]);
    return started;
  });
  const target = { ...server.address('published-port', running.state), ...bench.credentials };
  const bytes = await step(
    context,
    'load',
    `${plan.workload.tables} × ${plan.workload.tableSize}`,
    async (progress) => {
      await Promise.race([
        running.failed,
        prepareTables(target, plan.workload, {
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
    },
  );
  context.emit({
    type: 'dataset-loaded',
    bytes,
    rows: plan.workload.tables * plan.workload.tableSize,
  });
  return { containerId: server.containerId, datadir: storage.datadir, bytes };
}

async function makeServer(
  context: RunContext,
  bench: Bench,
  dataset: Dataset,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<Server | BenchmarkError> {
  const { runtime, signal } = context;
  const { serverId: id } = scenario;
  const storageName = STORAGE_NAMES[scenario.storage.kind];
  const name = `s${bench.servers.size + 1}`;
  try {
    return await step(context, 'clone', id, async () => {
      const storage = await prepareStorage(scenario.storage, storageContext(context, bench, name));
      cleanup.add('storage', storage.dispose);
      const { attach } = PATHS[scenario.path];
      const server = await Server.create({
        ...serverBasics(context, bench),
        id,
        name: `${bench.prefix}-${name}`,
        labels: bench.labels('server'),
        env: startEnv(bench.server.flavour),
        storage,
        storageName,
        attach,
        hostPort: attach === 'host' ? await freePort() : 0,
        onLog: (lines) => context.emit({ type: 'server-log', serverId: id, lines }),
        budgets: {
          ...context.budgets,
          readyMs:
            scenario.storage.kind === 'bind-mount'
              ? Math.max(context.budgets.readyMs, SLOW_READY_MS)
              : context.budgets.readyMs,
        },
      });
      cleanup.add('container', () => runtime.removeContainer(server.containerId));
      await unlessStopped(
        signal,
        cloneDataset(runtime, dataset, { containerId: server.containerId, storage, storageName }),
      );
      return server;
    });
  } catch (error) {
    if (isEngineLost(error) || signal.aborted || !(error instanceof BenchmarkError)) throw error;
    return error;
  }
}

function serverBasics(context: RunContext, bench: Bench) {
  const { plan, runtime } = context;
  return {
    runtime,
    image: bench.server.id,
    options: serverOptions(bench.server, plan.settings, plan.connections),
    network: bench.network,
    budgets: context.budgets,
  };
}

function storageContext(context: RunContext, bench: Bench, name: string) {
  const labels = bench.labels('storage');
  return {
    runtime: context.runtime,
    name: `${bench.prefix}-${name}`,
    image: bench.server.id,
    labels,
    bindRoot: context.bindRoot,
    mark: { owner: ownOwner(), runId: context.runId },
    datadirBytes: datadirBytes(context.plan.workload, context.plan.settings),
  };
}

/** A TCP port that nothing listens on at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
}

import { setTimeout as wait } from 'node:timers/promises';
import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import type { PathKind } from '../../shared/kinds/paths.ts';
import type { ServerConfig } from '../../shared/model/plan.ts';
import { dataBytes, rowCount } from '../../shared/model/workload.ts';
import { type Dataset, datasetKey, directoryBytes, ROW_SEED } from '../servers/dataset/dataset.ts';
import type { LoadClient, LoadTarget } from '../load/load-client.ts';
import { linkedTo } from '../stop.ts';
import type { PreparedStorage } from '../servers/storage/prepared-storage.ts';
import { Server } from '../servers/server.ts';
import { canDisableRedoLog, loadPhaseOptions, loadPoolMiB } from '../servers/server-options.ts';
import { type RunningServer, stopCleanly } from '../servers/target-server.ts';
import type { Environment, ServerImage } from '../context/environment.ts';
import { diagnoseLostConnection } from '../context/clients.ts';
import type { Cleanup } from '../context/cleanup.ts';
import { serverBasics, storageContext } from './container-servers.ts';
import { firstStart } from './first-start.ts';
import { newPassword, type RunContext, step } from '../context/context.ts';
import { pathName, storageName } from '../../shared/words/labels.ts';
import type { DatasetDraft } from '../servers/dataset/dataset-cache.ts';
import type { Looker } from '../servers/dataset/volume-contents.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';
import { importDump, prepareDump } from '../tasks/dump.ts';
import { withinLimit } from '../tasks/limit.ts';
import { hasTables, limitOf } from '../../shared/model/task.ts';
import { prepareStorage } from '../servers/storage/storage.ts';

const ALIVE_EVERY_MS = 15_000;
const ALIVE_MS = 30_000;

export interface DatasetServer {
  server: Server;
  running: RunningServer;
  storage: PreparedStorage;
  client: LoadClient;
  target: LoadTarget;
  asRoot: LoadTarget;
  image: ServerImage;
}

interface DatasetServerParts {
  name: string;
  mounts?: MountSpec[] | undefined;
  config: ServerConfig;
  image: ServerImage;
  storage: PreparedStorage;
}

export async function startDatasetServer(
  context: RunContext,
  environment: Environment,
  { name, config, image, storage, mounts = [] }: DatasetServerParts,
  cleanup: Cleanup,
  more: readonly string[] = context.own?.start === undefined ? loadOptions(context, config, image) : [],
): Promise<DatasetServer> {
  const { runtime, signal } = context;
  const first = firstStart(context, image, environment.account);
  const basics = serverBasics(context, environment, config, image);
  const server = await Server.create({
    ...basics,
    options: [...basics.options, ...more],
    id: name,
    name: `${environment.prefix}-${name}`,
    labels: environment.labels('dataset'),
    env: first.env,
    storage,
    storageName: storageName({ kind: 'named-volume' }),
    attach: 'bridge',
    network: environment.networks.bridge,
    mounts: [...mounts, ...first.mounts],
    onLog: (lines) => context.emit({ type: 'server-log', serverId: name, lines }),
  });
  cleanup.add('container', () => runtime.containers.remove(server.containerId));
  await first.prepare(server.containerId);

  const running = await server.start('initialization', signal);
  const { client, target } = await reach(context, environment, running);
  const asRoot = { ...target, user: 'root', password: first.rootPassword, database: '' };
  return { server, running, storage, client, target, asRoot, image };
}

const SHORT_WAY_MS = 2_000;
/** A VPN may use the same addresses. */
const LEADS_ELSEWHERE: ReadonlySet<ErrorCode> = new Set(['PATH_NO_TRAFFIC', 'ACCESS_DENIED']);

/** On native Linux, the container's address avoids the engine's proxy. */
async function reach(
  { plan, budgets, signal }: RunContext,
  { clients, account }: Environment,
  running: RunningServer,
): Promise<{ client: LoadClient; target: LoadTarget }> {
  const { remote, vm, rootless } = plan.engines[0].passport.runtime;
  const client = remote ? await clients.onBridge() : clients.onHost();
  const over = async (path: PathKind, budgetMs: number): Promise<LoadTarget> => {
    const target = { ...running.address(path), ...account };
    const check = client.check(target, { path: pathName(path), budgetMs, times: 3, signal });
    await Promise.race([running.failed, check]);
    return target;
  };
  if (remote) return { client, target: await over('user-bridge', budgets.pathMs) };
  const short =
    vm || rootless
      ? undefined
      : await over('container-ip', SHORT_WAY_MS).catch((error: unknown) => {
          if (error instanceof BenchmarkError && LEADS_ELSEWHERE.has(error.code)) return undefined;
          throw error;
        });
  return { client, target: short ?? (await over('published-port', budgets.pathMs)) };
}

function loadOptions({ plan }: RunContext, { settings }: ServerConfig, image: ServerImage): string[] {
  const { memoryBytes } = plan.engines[0].passport.runtime;
  return loadPhaseOptions(image, loadPoolMiB(settings, dataBytes(plan.workload), memoryBytes));
}

export async function fillDataset(
  context: RunContext,
  { running, client, target, asRoot, image }: DatasetServer,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { plan, signal } = context;
  const filling = linkedTo(signal);
  const redoLog = async (word: 'DISABLE' | 'ENABLE'): Promise<void> => {
    await client.query(asRoot, `ALTER INSTANCE ${word} INNODB REDO_LOG`, filling.signal);
  };
  const fill = async (): Promise<void> => {
    // Without a redo log, filling is only faster; an image may refuse remote root.
    const disabled = canDisableRedoLog(image) && (await succeeds(redoLog('DISABLE')));
    if (hasTables(plan)) {
      const options = { seed: ROW_SEED, onProgress, signal: filling.signal };
      await client.prepare(target, plan.workload, options);
    }
    if (disabled) await redoLog('ENABLE');
    await succeeds(lockRoot(context, client, asRoot, filling.signal));
  };
  try {
    await Promise.race([running.failed, untilSilent(client, target, filling.signal), fill()]);
  } catch (error) {
    throw signal.aborted ? error : await diagnoseLostConnection(error, running, signal);
  } finally {
    // An unanswered statement would keep this process alive.
    filling.end();
  }
}

/** Never resolves. A statement over a lost network is never answered. */
async function untilSilent(client: LoadClient, target: LoadTarget, signal: AbortSignal): Promise<never> {
  const path = pathName('published-port');
  for (;;) {
    await wait(ALIVE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    await client.check(target, { path, budgetMs: ALIVE_MS, times: 1, signal });
  }
}

const OPEN_ACCOUNTS =
  "SELECT user, host FROM mysql.user WHERE (user = 'root' AND host <> 'localhost') OR (user = '' AND host <> '')";

/** Entry points may expose root's first password, or leave accounts without one. */
async function lockRoot(
  context: RunContext,
  client: LoadClient,
  asRoot: LoadTarget,
  signal: AbortSignal,
): Promise<void> {
  const others = await client.query(asRoot, OPEN_ACCOUNTS, signal);
  const password = newPassword(context);
  await client.query(asRoot, `ALTER USER 'root'@'localhost' IDENTIFIED BY '${password}'`, signal);
  // The statement drops its own account, so there is only one.
  const dropped = others.map((account) => account.map((part) => `'${escaped(String(part))}'`).join('@'));
  if (dropped.length > 0) await client.query(asRoot, `DROP USER ${dropped.join(', ')}`, signal);
}

function escaped(text: string): string {
  return text.replace(/['\\]/g, '\\$&');
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof BenchmarkError && ['QUERY_FAILED', 'ACCESS_DENIED'].includes(error.code))
      return false;
    throw error;
  }
}

export async function finishDataset(
  { runtime, signal }: RunContext,
  { server, running, storage }: DatasetServer,
): Promise<Dataset> {
  const { containerId } = server;
  const bytes = await directoryBytes(runtime, containerId, storage.datadir);
  await stopCleanly(running, signal);
  const [mount] = storage.container.mounts ?? [];
  const volume = mount?.type === 'volume' ? mount.source : undefined;
  return { containerId, datadir: storage.datadir, bytes, account: server.account, volume };
}

export async function loadDataset(
  context: RunContext,
  environment: Environment,
  config: ServerConfig,
  image: ServerImage,
  cleanup: Cleanup,
): Promise<Dataset> {
  const { plan, runtime, own } = context;
  const isOwn = own?.before !== undefined || own?.start !== undefined;
  const datasets = isOwn ? undefined : context.datasetsOn(runtime);
  const { options } = serverBasics(context, environment, config, image);
  const workload = hasTables(plan) ? plan.workload : null;
  const key = datasetKey({ image, options, workload, seed: ROW_SEED });
  const name = `dataset${environment.datasets.size + 1}`;
  const looker: Looker = {
    name: `${environment.prefix}-${name}-look`,
    image: image.id,
    labels: environment.labels('dataset'),
  };
  let dataset: Dataset | undefined;
  if (datasets !== undefined) {
    dataset = await datasets.use(key, looker, (id) =>
      cleanup.add('container', () => runtime.containers.remove(id)),
    );
  }
  dataset ??= await load(
    context,
    environment,
    { name, config, image, looker, draft: datasets?.draft(key) },
    cleanup,
  );
  context.hide(dataset.account.password);
  context.emit({
    type: 'dataset-loaded',
    bytes: dataset.bytes,
    rows: workload === null ? 0 : rowCount(workload),
  });
  return dataset;
}

interface LoadParts {
  name: string;
  config: ServerConfig;
  image: ServerImage;
  looker: Looker;
  draft: DatasetDraft | undefined;
}

async function load(
  context: RunContext,
  environment: Environment,
  { name, config, image, looker, draft }: LoadParts,
  cleanup: Cleanup,
): Promise<Dataset> {
  const place = storageContext(context, environment, { config, image }, name);
  const storage = await prepareStorage(
    { kind: 'named-volume' },
    { ...place, name: draft?.name ?? place.name, labels: draft?.labels ?? environment.labels('dataset') },
  );
  cleanup.add('storage', () => (draft?.isKept === true ? Promise.resolve() : storage.dispose()));
  const { own, signal, runtime } = context;
  const files = own?.before;
  const labels = environment.labels('dump');
  const before =
    files && (await prepareDump(files, { ...place, name: `${place.name}-before`, labels }, cleanup, signal));
  const server = await step(context, 'init', image.used, () =>
    startDatasetServer(
      context,
      environment,
      { name, config, image, storage, mounts: before?.mounts },
      cleanup,
    ),
  );
  return step(context, 'load', image.used, async (progress) => {
    if (own?.start === undefined)
      await fillDataset(context, server, (fraction) => progress({ fraction, detail: '' }));
    const { containerId, account } = server.server;
    if (before !== undefined)
      await withinLimit(limitOf(context.plan.task), signal, (limited) =>
        importDump(runtime, containerId, account, limited),
      );
    const dataset = await finishDataset(context, server);
    const source = { image: image.used, workload: context.plan.workload };
    await draft?.keep({ datadir: dataset.datadir, account: dataset.account, source, looker });
    return dataset;
  });
}

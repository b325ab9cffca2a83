import type { Scenario, ServerConfig } from '../../shared/model/plan.ts';
import { ownOwner } from '../owners/owner.ts';
import { cloneDataset } from '../servers/dataset/clone.ts';
import { datadirBytes, type Dataset } from '../servers/dataset/dataset.ts';
import { imageWithData } from '../servers/dataset/image-layer.ts';
import { openToAll } from '../servers/helper-container.ts';
import { limitOf } from '../../shared/model/task.ts';
import { PATHS } from '../../shared/kinds/paths.ts';
import { inContainer } from '../../shared/kinds/storages.ts';
import { Server } from '../servers/server.ts';
import { mostConnections, serverOptions, startEnv } from '../servers/server-options.ts';
import type { Progress } from '../runtime/container-runtime.ts';
import type { StorageContext } from '../servers/storage/prepared-storage.ts';
import { prepareStorage } from '../servers/storage/storage.ts';
import {
  type ServerBudgets,
  SLOW_READY_MS,
  SOCKET_DIRECTORY,
  type TargetServer,
} from '../servers/target-server.ts';
import type { Environment, ServerImage } from '../context/environment.ts';
import type { Cleanup } from '../context/cleanup.ts';
import { socketVolume } from '../context/clients.ts';
import { step, type RunContext } from '../context/context.ts';
import { firstStart } from './first-start.ts';
import { freePort } from '../host/free-port.ts';
import { storageName } from '../../shared/words/labels.ts';

type OnProgress = (progress: Progress) => void;

export interface ContainerServerParts {
  config: ServerConfig;
  scenario: Scenario;
  image: ServerImage;
  dataset: Dataset;
}

export async function makeContainerServer(
  context: RunContext,
  environment: Environment,
  parts: ContainerServerParts,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { runtime } = context;
  const { scenario, image } = parts;
  const { serverId: id } = scenario;
  const make = async (onProgress?: OnProgress): Promise<Server> => {
    const { attach } = PATHS[scenario.path];
    if (attach === 'native' || attach === 'ingress') {
      throw new Error(`${attach} is no plain container`);
    }
    const { spec, fill } = await preparedServer(context, environment, parts, cleanup);
    const server = await Server.create({
      ...spec,
      attach,
      network: attach === 'overlay' ? (environment.networks.overlay ?? '') : environment.networks.bridge,
      ...(attach === 'host' ? { hostPort: await freePort() } : {}),
      ...(attach === 'socket'
        ? { socketVolume: await makeSocketVolume(context, environment, id, image, cleanup) }
        : {}),
      budgets: {
        ...spec.budgets,
        readyMs: inContainer(scenario.storage.kind)?.isSlow
          ? Math.max(spec.budgets.readyMs, SLOW_READY_MS)
          : spec.budgets.readyMs,
      },
    });
    cleanup.add('container', () => runtime.containers.remove(server.containerId));
    await fill(server.containerId, onProgress);
    return server;
  };
  // A task's trial includes its copy.
  return context.plan.task === null ? step(context, 'clone', id, make) : make();
}

export async function preparedServer(
  context: RunContext,
  environment: Environment,
  parts: ContainerServerParts,
  cleanup: Cleanup,
) {
  const { config, scenario, image, dataset } = parts;
  const place = storageContext(context, environment, parts, `s${environment.nextNumber()}`);
  const storage = await prepareStorage(scenario.storage, place);
  cleanup.add('storage', storage.dispose);
  const shared = { storage, storageName: storageName(scenario.storage) };
  const helper = { ...place, labels: environment.labels('helper') };
  const { starts = 'filled' } = scenario.storage;
  const inLayer = scenario.storage.kind === 'image-layer';
  const first =
    starts === 'filled' ? undefined : firstStart(context, image, dataset.account, starts === 'empty');
  const fill = async (containerId: string, onProgress?: OnProgress): Promise<void> => {
    if (first !== undefined) {
      await first.prepare(containerId);
    } else if (!inLayer) {
      await cloneDataset(dataset, { containerId, ...shared, helper, onProgress }, context.signal);
    }
  };
  return {
    spec: {
      ...serverBasics(context, environment, config, image),
      ...(inLayer ? { image: await imageLayer(context, environment, parts) } : {}),
      mounts: [...(environment.dump?.mounts ?? []), ...(first?.mounts ?? [])],
      ...shared,
      account: dataset.account,
      id: scenario.serverId,
      name: place.name,
      labels: environment.labels('server'),
      env: first?.env ?? startEnv(image.flavor),
      limits: config.limits,
      onLog: (lines: string[]) => context.emit({ type: 'server-log', serverId: scenario.serverId, lines }),
    },
    fill,
  };
}

function imageLayer(
  context: RunContext,
  environment: Environment,
  { config, image, dataset }: ContainerServerParts,
): Promise<string> {
  const known = environment.imageLayers.get(image.id);
  if (known !== undefined) return known;
  const place = storageContext(context, environment, { config, image }, `layer${environment.nextNumber()}`);
  const labels = { image: environment.labels('data'), helper: environment.labels('helper') };
  const made = imageWithData(dataset, place, labels, context.signal);
  environment.imageLayers.set(image.id, made);
  const remove = (tag: string): Promise<void> => context.runtime.images.remove(tag);
  environment.cleanup.add('image', () => made.then(remove, () => undefined));
  return made;
}

export function serverBasics(
  context: RunContext,
  environment: Environment,
  config: ServerConfig,
  image: ServerImage,
) {
  return {
    container: context.runtime.containers,
    image: image.id,
    options: [...serverOptions(image, config.settings, mostConnections(context.plan)), ...config.options],
    account: environment.account,
    budgets: budgetsOf(context),
  };
}

function budgetsOf({ budgets, own, plan }: RunContext): ServerBudgets {
  if (own?.start === undefined) return budgets;
  return { ...budgets, readyMs: Math.max(budgets.readyMs, 1000 * limitOf(plan.task)) };
}

export function storageContext(
  context: RunContext,
  environment: Environment,
  { config, image }: Pick<ContainerServerParts, 'config' | 'image'>,
  name: string,
): StorageContext {
  return {
    runtime: context.runtime,
    name: `${environment.prefix}-${name}`,
    image: image.id,
    labels: environment.labels('storage'),
    bindRoot: context.bindRoot,
    mark: { owner: ownOwner(), runId: context.runId },
    datadirBytes: datadirBytes(context.plan, config),
  };
}

/** A new volume belongs to root, but the server's user creates the socket. */
async function makeSocketVolume(
  context: RunContext,
  environment: Environment,
  serverId: string,
  image: ServerImage,
  cleanup: Cleanup,
): Promise<string> {
  const { runtime } = context;
  const name = socketVolume(environment.prefix, serverId);
  await runtime.volumes.create(name, environment.labels('socket'));
  cleanup.add('storage', () => runtime.volumes.remove(name));
  await openToAll(
    { runtime, name, image: image.id, labels: environment.labels('helper') },
    SOCKET_DIRECTORY,
    [{ type: 'volume', source: name, target: SOCKET_DIRECTORY }],
  );
  return name;
}

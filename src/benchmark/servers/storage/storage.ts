import { isContainerStorage, STORAGES, type ContainerStorageKind } from '../../../shared/kinds/storages.ts';
import type { StorageSpec } from '../../../shared/model/server-spec.ts';
import type { MountSpec } from '../../runtime/container-runtime.ts';
import { createBindDirectory, removeBindDirectory } from './bind-directory.ts';
import { diagnoseStorage } from '../failure-doctor.ts';
import { emptyAsRoot } from '../helper-container.ts';
import { startHolder } from './holder.ts';
import { DATADIR_NAME, type PreparedStorage, type StorageContext } from './prepared-storage.ts';
import { prepareVolumeOptions } from './volume-options.ts';
import { storageName } from '../../../shared/words/labels.ts';

const VOLUME_PARENT = '/var/lib';
const LAYER_PARENT = '/srv';

type Prepare = (storage: StorageSpec, context: StorageContext) => Promise<PreparedStorage>;

const DATADIR = `${VOLUME_PARENT}/${DATADIR_NAME}`;
const ON_VOLUME = { parent: VOLUME_PARENT, datadir: DATADIR };
const NOTHING_TO_REMOVE = { dispose: () => Promise.resolve() };
const IN_LAYER = {
  ...NOTHING_TO_REMOVE,
  parent: LAYER_PARENT,
  datadir: `${LAYER_PARENT}/${DATADIR_NAME}`,
  container: {},
};

const PREPARE: Record<ContainerStorageKind, Prepare> = {
  'named-volume': async (storage, { runtime, name, labels }) => {
    await refused(storage, runtime.volumes.create(name, labels));
    return {
      ...ON_VOLUME,
      container: { mounts: [{ type: 'volume', source: name, target: DATADIR }] },
      dispose: () => runtime.volumes.remove(name),
    };
  },
  'anonymous-volume': async (_, { labels }) => ({
    ...ON_VOLUME,
    ...NOTHING_TO_REMOVE,
    container: { mounts: [{ type: 'anonymous-volume', target: DATADIR, labels }] },
  }),
  'bind-mount': async (_, context) => {
    const { bindRoot, name, mark } = context;
    const { directory, data } = await createBindDirectory(bindRoot, name, mark);
    return {
      ...ON_VOLUME,
      container: { mounts: [{ type: 'bind', source: data, target: DATADIR }] },
      dispose: () => removeBindDirectory(directory, (path) => emptyAsRoot(context, path)),
    };
  },
  'container-layer': () => Promise.resolve(IN_LAYER),
  'image-layer': () => Promise.resolve(IN_LAYER),
  'data-container': prepareDataContainer,
  'volume-options': prepareVolumeOptions,
  nfs: prepareVolumeOptions,
  tmpfs: prepareTmpfs,
};

export async function prepareStorage(
  storage: StorageSpec,
  context: StorageContext,
): Promise<PreparedStorage> {
  if (!isContainerStorage(storage.kind)) throw new Error(`a storage ${storage.kind} is not for a container`);
  return PREPARE[storage.kind](storage, context);
}

async function prepareDataContainer(storage: StorageSpec, context: StorageContext): Promise<PreparedStorage> {
  const { runtime, name, labels, image } = context;
  const id = await refused(
    storage,
    runtime.containers.create({
      name: `${name}-data`,
      image,
      labels,
      mounts: [{ type: 'anonymous-volume', target: DATADIR, labels }],
      network: 'none',
    }),
  );
  return {
    ...ON_VOLUME,
    container: { volumesFrom: [id] },
    holder: id,
    dispose: () => runtime.containers.remove(id),
  };
}

async function prepareTmpfs(storage: StorageSpec, context: StorageContext): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const o = `size=${sizeMiBOf(storage, context)}m`;
  await refused(storage, runtime.volumes.create(name, labels, { type: 'tmpfs', device: 'tmpfs', o }));
  const mounts: MountSpec[] = [{ type: 'volume', source: name, target: DATADIR }];
  try {
    const holder = await startHolder(context, { mounts });
    const dispose = async (): Promise<void> => {
      await runtime.containers.remove(holder);
      await runtime.volumes.remove(name);
    };
    return { ...ON_VOLUME, container: { mounts }, holder, dispose };
  } catch (error) {
    await runtime.volumes.remove(name);
    throw diagnoseStorage(error, storageName(storage));
  }
}

function sizeMiBOf({ kind, sizeMiB }: StorageSpec, { datadirBytes }: StorageContext): number {
  return (
    sizeMiB ?? Math.min(Math.ceil((datadirBytes * 2) / 2 ** 20), STORAGES[kind].sizes?.mostMiB ?? Infinity)
  );
}

async function refused<T>(storage: StorageSpec, creating: Promise<T>): Promise<T> {
  try {
    return await creating;
  } catch (error) {
    throw diagnoseStorage(error, storageName(storage));
  }
}

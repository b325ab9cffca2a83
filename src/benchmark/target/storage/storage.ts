import type { StorageSpec } from '../../../shared/model/storage-spec.ts';
import type { MountSpec } from '../../runtime/container-runtime.ts';
import { createBindDirectory, removeBindDirectory } from './bind-directory.ts';
import { diagnoseStorage } from '../failure-doctor.ts';
import { emptyAsRoot } from '../helper-container.ts';
import { DATADIR_NAME, type PreparedStorage, type StorageContext } from './prepared-storage.ts';
import { prepareVolumeOptions } from './volume-options.ts';
import { storageName } from '../../../shared/words/labels.ts';

/**
 * `/var/lib/mysql` is where images expect it; the image layer needs a place outside the images' VOLUME, or Docker
 * would put an anonymous volume there.
 */
const VOLUME_PARENT = '/var/lib';
const LAYER_PARENT = '/srv';

/**
 * Makes a storage for a server in a container. Rejects with BIND_UNWRITABLE, STORAGE_FULL, STORAGE_REFUSED,
 * VOLUME_MOUNT_FAILED or ENGINE_LOST; whatever it made by then is gone again.
 */
export async function prepareStorage(
  storage: StorageSpec,
  context: StorageContext,
): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const datadir = `${VOLUME_PARENT}/${DATADIR_NAME}`;
  const onVolume = { parent: VOLUME_PARENT, datadir, holder: undefined };
  switch (storage.kind) {
    case 'named-volume':
      await refused(storage, runtime.volumes.create(name, labels));
      return {
        ...onVolume,
        mounts: [{ type: 'volume', source: name, target: datadir }],
        dispose: () => runtime.volumes.remove(name),
      };
    case 'anonymous-volume':
      // It is made with the server's container, and goes with it.
      return {
        ...onVolume,
        mounts: [{ type: 'anonymous-volume', target: datadir, labels }],
        dispose: () => Promise.resolve(),
      };
    case 'bind-mount': {
      const { directory, data } = await createBindDirectory(
        context.bindRoot,
        name,
        context.mark,
        context.dataDir,
      );
      return {
        ...onVolume,
        mounts: [{ type: 'bind', source: data, target: datadir }],
        dispose: () => removeBindDirectory(directory, (path) => emptyAsRoot(context, path)),
      };
    }
    case 'image-layer':
      return {
        parent: LAYER_PARENT,
        datadir: `${LAYER_PARENT}/${DATADIR_NAME}`,
        mounts: [],
        holder: undefined,
        dispose: () => Promise.resolve(),
      };
    case 'data-container':
      return prepareDataContainer(storage, context, onVolume);
    case 'volume-options':
      return prepareVolumeOptions(storage, context);
    case 'tmpfs':
      return prepareTmpfs(storage, context, onVolume);
    case 'native':
    case 'external':
      throw new Error(`a storage ${storage.kind} is not for a container`);
  }
}

type OnVolume = Pick<PreparedStorage, 'parent' | 'datadir' | 'holder'>;

/** A container that never runs and only has a volume, as people did before volumes had names. */
async function prepareDataContainer(
  storage: StorageSpec,
  context: StorageContext,
  onVolume: OnVolume,
): Promise<PreparedStorage> {
  const { runtime, name, labels, image } = context;
  const id = await refused(
    storage,
    runtime.containers.create({
      name: `${name}-data`,
      image,
      labels,
      mounts: [{ type: 'anonymous-volume', target: onVolume.datadir, labels }],
      network: 'none',
    }),
  );
  return {
    ...onVolume,
    mounts: [],
    volumesFrom: id,
    holder: id,
    dispose: () => runtime.containers.remove(id),
  };
}

async function prepareTmpfs(
  storage: StorageSpec,
  context: StorageContext,
  onVolume: OnVolume,
): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const sizeMiB = storage.sizeMiB ?? Math.ceil((context.datadirBytes * 2) / 2 ** 20);
  await refused(
    storage,
    runtime.volumes.create(name, labels, { type: 'tmpfs', device: 'tmpfs', o: `size=${sizeMiB}m` }),
  );
  const mounts: MountSpec[] = [{ type: 'volume', source: name, target: onVolume.datadir }];
  let holder: string | undefined;
  const dispose = async (): Promise<void> => {
    if (holder !== undefined) await runtime.containers.remove(holder);
    await runtime.volumes.remove(name);
  };
  try {
    holder = await runtime.containers.create({
      name: `${name}-holder`,
      image: context.image,
      labels,
      entrypoint: ['tail', '-f', '/dev/null'],
      mounts,
      network: 'none',
      stopTimeoutSeconds: 0,
    });
    await runtime.containers.start(holder);
  } catch (error) {
    await dispose();
    throw diagnoseStorage(error, storageName(storage));
  }
  return { ...onVolume, mounts, holder, dispose };
}

async function refused<T>(storage: StorageSpec, made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    throw diagnoseStorage(error, storageName(storage));
  }
}

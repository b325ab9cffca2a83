import type { StorageKind } from '../../shared/model/names.ts';
import type { StorageSpec } from '../../shared/model/preset.ts';
import type { ContainerRuntime, MountSpec } from '../runtime/container-runtime.ts';
import { createBindDirectory, removeBindDirectory } from './bind-directory.ts';
import { diagnoseStorage } from './failure-doctor.ts';
import { emptyAsRoot } from './helper-container.ts';

/** For people. */
export const STORAGE_NAMES: Record<StorageKind, string> = {
  'named-volume': 'named volume',
  'bind-mount': 'bind mount',
  'image-layer': 'image layer',
  tmpfs: 'tmpfs',
};

/**
 * Datadirs end in this name in every storage, so that a tar of one unpacks as another.
 * `/var/lib/mysql` is where images expect it; the image layer needs a place outside the images' VOLUME, or Docker
 * would put an anonymous volume there.
 */
const DATADIR_NAME = 'mysql';
const VOLUME_PARENT = '/var/lib';
const LAYER_PARENT = '/srv';

/** A storage that was made for one server. */
export interface PreparedStorage {
  /** Where the datadir's parent is in the container; archives of the datadir are unpacked here. */
  parent: string;
  datadir: string;
  mounts: MountSpec[];
  /** Container that archives go into, if not the server's own: a tmpfs only lives while something holds it. */
  holder: string | undefined;
  dispose(): Promise<void>;
}

export interface StorageContext {
  runtime: ContainerRuntime;
  /** Unique in the run; also the name of what is created. */
  name: string;
  image: string;
  labels: Record<string, string>;
  bindRoot: string;
  mark: { owner: string; runId: string };
  /** Size that a datadir is expected to have, bytes; a tmpfs without a size gets twice that. */
  datadirBytes: number;
}

/**
 * Makes a storage. Rejects with BIND_UNWRITABLE, STORAGE_FULL, STORAGE_REFUSED or ENGINE_LOST; whatever it made by
 * then is gone again.
 */
export async function prepareStorage(
  storage: StorageSpec,
  context: StorageContext,
): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const datadir = `${VOLUME_PARENT}/${DATADIR_NAME}`;
  switch (storage.kind) {
    case 'named-volume':
      await refused(storage, runtime.createVolume(name, labels));
      return {
        parent: VOLUME_PARENT,
        datadir,
        mounts: [{ type: 'volume', source: name, target: datadir }],
        holder: undefined,
        dispose: () => runtime.removeVolume(name),
      };
    case 'bind-mount': {
      const { directory, data } = await createBindDirectory(context.bindRoot, name, context.mark);
      return {
        parent: VOLUME_PARENT,
        datadir,
        mounts: [{ type: 'bind', source: data, target: datadir }],
        holder: undefined,
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
    case 'tmpfs':
      return prepareTmpfs(storage, context, datadir);
  }
}

async function prepareTmpfs(
  storage: StorageSpec & { sizeMiB?: number | undefined },
  context: StorageContext,
  datadir: string,
): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const sizeMiB = storage.sizeMiB ?? Math.ceil((context.datadirBytes * 2) / 2 ** 20);
  await refused(
    storage,
    runtime.createVolume(name, labels, { type: 'tmpfs', device: 'tmpfs', o: `size=${sizeMiB}m` }),
  );
  const mounts: MountSpec[] = [{ type: 'volume', source: name, target: datadir }];
  let holder: string | undefined;
  const dispose = async (): Promise<void> => {
    if (holder !== undefined) await runtime.removeContainer(holder);
    await runtime.removeVolume(name);
  };
  try {
    holder = await runtime.createContainer({
      name: `${name}-holder`,
      image: context.image,
      labels,
      entrypoint: ['tail', '-f', '/dev/null'],
      mounts,
      network: 'none',
      stopTimeoutSeconds: 0,
    });
    await runtime.startContainer(holder);
  } catch (error) {
    await dispose();
    throw diagnoseStorage(error, STORAGE_NAMES[storage.kind]);
  }
  return { parent: VOLUME_PARENT, datadir, mounts, holder, dispose };
}

async function refused<T>(storage: StorageSpec, made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    throw diagnoseStorage(error, STORAGE_NAMES[storage.kind]);
  }
}

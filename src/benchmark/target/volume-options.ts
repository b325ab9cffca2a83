import { BenchmarkError } from '../../shared/errors.ts';
import type { NfsSpec, StorageSpec } from '../../shared/model/storage-spec.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';
import { diagnoseStorage } from './failure-doctor.ts';
import { runHelper } from './helper-container.ts';
import { DATADIR_NAME, type PreparedStorage, type StorageContext } from './prepared-storage.ts';
import { storageName } from './storage-names.ts';

/** Where such a volume is mounted; whatever else it holds is the user's and is never touched. */
const MOUNT = '/srv/whalemark-volume';

/**
 * Options of Docker's local driver for a storage: as given, or made of the words of an NFS export.
 * Source of the form: Docker documentation, "docker volume create", driver-specific options; nfs(5).
 */
export function driverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  if (storage.nfs !== undefined) return nfsOptions(storage.nfs);
  const { type = '', device = '', o } = storage.options ?? {};
  return { type, device, ...(o === undefined ? {} : { o }) };
}

function nfsOptions({ address, path, version, soft, lock }: NfsSpec): Record<string, string> {
  const problem = /[,\s]/.test(address) ? 'address' : /[\s]/.test(path) ? 'path' : undefined;
  if (problem !== undefined) {
    throw new BenchmarkError(
      'PRESET_INVALID',
      { name: 'nfs', count: '1' },
      {
        evidence: [`nfs.${problem}: commas and spaces would be read as further mount options`],
      },
    );
  }
  return {
    type: version.startsWith('4') ? 'nfs4' : 'nfs',
    o: [
      `addr=${address}`,
      'rw',
      `nfsvers=${version}`,
      soft ? 'soft' : 'hard',
      ...(lock ? [] : ['nolock']),
    ].join(','),
    device: `:${path}`,
  };
}

/** True when a mount gives up after a while and MySQL is not told that a write was lost. */
export function isSoftMount(storage: Pick<StorageSpec, 'options' | 'nfs'>): boolean {
  return storage.nfs?.soft === true || (storage.options?.o ?? '').split(',').includes('soft');
}

/**
 * A volume with driver options. The device behind it is the user's: the datadir goes into a fresh directory of our
 * own there, and only that is deleted. `nocopy` keeps Docker from filling it with what the image has.
 */
export async function prepareVolumeOptions(
  storage: StorageSpec,
  context: StorageContext,
): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const mounts: MountSpec[] = [{ type: 'volume', source: name, target: MOUNT, noCopy: true }];
  const parent = `${MOUNT}/${name}`;
  let made = false;
  const dispose = async (): Promise<void> => {
    try {
      if (made) await runHelper(context, 'unmake', ['rm', '-rf', '--one-file-system', parent], mounts);
    } finally {
      await runtime.removeVolume(name);
    }
  };
  try {
    await runtime.createVolume(name, labels, driverOptions(storage));
    await runHelper(context, 'make', ['mkdir', parent], mounts);
    made = true;
  } catch (error) {
    await dispose().catch(() => undefined);
    throw mountFailure(error, storage);
  }
  return { parent, datadir: `${parent}/${DATADIR_NAME}`, mounts, holder: undefined, dispose };
}

/** The engine says what mount(2) said; what that means for NFS is worth a sentence of its own. */
function mountFailure(error: unknown, storage: StorageSpec): BenchmarkError {
  const diagnosed = diagnoseStorage(error, storageName(storage));
  const reason = diagnosed.params['reason'] ?? diagnosed.message;
  if (!/mount/i.test(reason)) return diagnosed;
  const { type = '', device = '', o = '' } = driverOptions(storage);
  const code =
    /^nfs/.test(type) && /no such device/i.test(reason) ? 'NFS_UNSUPPORTED' : 'VOLUME_MOUNT_FAILED';
  return new BenchmarkError(
    code,
    { storage: storageName(storage), reason },
    { evidence: [`type=${type} device=${device} o=${o}`, ...diagnosed.evidence], cause: error },
  );
}

import { englishOf, msg } from '../../../shared/message.ts';
import { driverOptions, type StorageOptions } from '../../../shared/kinds/storage-options.ts';
import { optionProblem } from '../../../shared/kinds/mount-options.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { StorageSpec } from '../../../shared/model/server-spec.ts';
import type { MountSpec } from '../../runtime/container-runtime.ts';
import { DIRECTORY_LABEL, HELD_MOUNT, removeHolder } from '../../runtime/held-directory.ts';
import { diagnoseStorage } from '../failure-doctor.ts';
import { invalidStorage, requireFreeDevice } from './free-device.ts';
import { startHolder } from './holder.ts';
import { DATADIR_NAME, type PreparedStorage, type StorageContext } from './prepared-storage.ts';
import { storageName } from '../../../shared/words/labels.ts';

/** On a soft mount, MySQL doesn't learn that a write was lost. */
export function isSoftMount(storage: StorageOptions): boolean {
  return storage.nfs?.soft === true || (storage.options?.o ?? '').split(',').includes('soft');
}

/** Throws PRESET_INVALID if the engine would mount something else. */
export function checkedDriverOptions(storage: StorageOptions): Record<string, string> {
  const problem = optionProblem(storage);
  if (problem === undefined) return driverOptions(storage);
  throw invalidStorage(problem.field, msg(problem.code, problem.params));
}

/**
 * Only the datadir's new directory is deleted. Without a holder, a device in memory would lose its data
 * between trials.
 */
export async function prepareVolumeOptions(
  storage: StorageSpec,
  context: StorageContext,
): Promise<PreparedStorage> {
  const { runtime, name, labels } = context;
  const options = checkedDriverOptions(storage);
  await requireFreeDevice(storage, runtime, 'storages');
  const mounts: MountSpec[] = [{ type: 'volume', source: name, target: HELD_MOUNT, noCopy: true }];
  const parent = `${HELD_MOUNT}/${name}`;
  let holder: string | undefined;
  let isMade = false;
  const dispose = async (): Promise<void> => {
    if (holder !== undefined && isMade) {
      // A holder that can't be removed leads back to the directory.
      await removeHolder(runtime, { id: holder, name: `${name}-holder`, directory: parent });
    } else if (holder !== undefined) {
      await runtime.containers.remove(holder);
    }
    await runtime.volumes.remove(name);
  };
  try {
    await runtime.volumes.create(name, labels, options);
    holder = await startHolder(context, {
      labels: { ...labels, [DIRECTORY_LABEL]: parent },
      user: '0:0',
      mounts,
    });
    isMade = true;
    const { exitCode, stderr } = await runtime.containers.exec(holder, ['mkdir', parent]);
    if (exitCode !== 0) {
      isMade = false;
      throw new Error(stderr.trim());
    }
  } catch (error) {
    await dispose().catch(() => undefined);
    throw mountFailure(error, storage);
  }
  return { parent, datadir: `${parent}/${DATADIR_NAME}`, container: { mounts }, holder, dispose };
}

function mountFailure(error: unknown, storage: StorageSpec): BenchmarkError {
  const diagnosed = diagnoseStorage(error, storageName(storage));
  const reason = englishOf(diagnosed.params['reason'] ?? diagnosed.message);
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

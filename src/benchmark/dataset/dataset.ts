import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { diagnoseStorage } from '../target/failure-doctor.ts';
import type { PreparedStorage } from '../target/prepared-storage.ts';

/** A server's files after a clean shutdown, ready to be cloned. */
export interface Dataset {
  containerId: string;
  datadir: string;
  bytes: number;
}

/** Size of a directory in a running container, bytes. */
export async function directoryBytes(
  runtime: ContainerRuntime,
  containerId: string,
  path: string,
): Promise<number> {
  const { exitCode, stdout, stderr } = await runtime.exec(containerId, ['du', '-sk', path]);
  const kibibytes = Number(stdout.split(/\s/)[0]);
  if (exitCode !== 0 || !Number.isFinite(kibibytes)) {
    throw new BenchmarkError('DATASET_FAILED', { reason: `du: ${stderr.trim() || stdout.trim()}` });
  }
  return kibibytes * 1024;
}

/**
 * Copies the dataset's files to another storage, owners and modes kept, through the engine's archive API: the
 * same way for every storage, without a shell in the image, and without a copy on the client's disk.
 * Rejects with STORAGE_FULL, STORAGE_REFUSED or ENGINE_LOST.
 */
export async function cloneDataset(
  runtime: ContainerRuntime,
  dataset: Dataset,
  target: { containerId: string; storage: PreparedStorage; storageName: string },
): Promise<void> {
  try {
    const tar = await runtime.getArchive(dataset.containerId, dataset.datadir);
    await runtime.putArchive(target.storage.holder ?? target.containerId, target.storage.parent, tar);
  } catch (error) {
    throw diagnoseStorage(error, target.storageName);
  }
}

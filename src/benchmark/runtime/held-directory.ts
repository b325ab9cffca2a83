import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import { reasonOf } from './engine/engine-error.ts';

/**
 * Directories of ours on disks and exports of the user's. A container holds such a mount as long as a run needs it, and
 * its label is the only record of the directory: it may go only after the directory has gone.
 */

/** Where such a disk is mounted in the holder; whatever else it holds is the user's and is never touched. */
export const HELD_MOUNT = '/srv/whalemark-volume';
/** On the holder: the directory of ours in there. Its last name is also that of the volume. */
export const DIRECTORY_LABEL = 'io.whalemark.directory';
const OWN_DIRECTORY = /^\/srv\/whalemark-volume\/(whalemark-[\w-][\w.-]*)$/;

/** A container that holds a mount with a directory of ours. */
export interface Holder {
  id: string;
  name: string;
  /** As its label tells it. */
  directory: string;
}

/** The volume that a holder has mounted; undefined for a label that we have not written. */
export function heldVolume(directory: string): string | undefined {
  return OWN_DIRECTORY.exec(directory)?.[1];
}

/**
 * Deletes our directory on the user's disk, then the container that holds the mount; what else used the directory must have
 * gone before. A holder that has stopped, as after a restart of the machine, is started once more. Rejects with STORAGE_REFUSED
 * when the directory could not be deleted: then the holder stays, stopped, so that the next sweep finds both.
 */
export async function removeHolder(runtime: ContainerRuntime, holder: Holder): Promise<void> {
  const own = heldVolume(holder.directory);
  if (own !== undefined) {
    try {
      await deleteDirectory(runtime, holder);
    } catch (error) {
      // The disk is its user's, who may want to unmount it.
      await runtime.containers.kill(holder.id).catch(() => undefined);
      throw new BenchmarkError(
        'STORAGE_REFUSED',
        {
          storage: 'volume with driver options',
          reason: `${own} could not be deleted there: ${wordsOf(error)}. The stopped container ${holder.name} stays with it.`,
        },
        { cause: error },
      );
    }
  }
  await runtime.containers.remove(holder.id);
}

async function deleteDirectory(runtime: ContainerRuntime, { id, directory }: Holder): Promise<void> {
  const { running, startedAt } = await runtime.containers.inspect(id);
  if (!running) {
    // Never started: nothing was mounted, so nothing was made.
    if (startedAt.startsWith('0001-')) return;
    await runtime.containers.start(id);
  }
  const { exitCode, stderr } = await runtime.containers.exec(id, [
    'rm',
    '-rf',
    '--one-file-system',
    directory,
  ]);
  if (exitCode !== 0) throw new Error(stderr.trim());
}

function wordsOf(error: unknown): string {
  const words = error instanceof BenchmarkError ? (error.params['reason'] ?? error.message) : reasonOf(error);
  return words.replace(/\.$/, '');
}

import { englishOf, msg } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime } from './container-runtime.ts';
import { reasonOf } from './engine/engine-error.ts';

/** A holder's label is the only record of Whalemark's directory on a user's disk. */

export const HELD_MOUNT = '/srv/whalemark-volume';
export const DIRECTORY_LABEL = 'io.whalemark.directory';
const OWN_DIRECTORY = /^\/srv\/whalemark-volume\/(whalemark-[\w-][\w.-]*)$/;

interface Holder {
  id: string;
  name: string;
  directory: string;
}

export function heldVolume(directory: string): string | undefined {
  return OWN_DIRECTORY.exec(directory)?.[1];
}

/**
 * No container may use the directory. Rejects with STORAGE_REFUSED if it can't be deleted; the holder then
 * stays.
 */
export async function removeHolder(runtime: ContainerRuntime, holder: Holder): Promise<void> {
  const own = heldVolume(holder.directory);
  if (own !== undefined) {
    try {
      await deleteDirectory(runtime, holder);
    } catch (error) {
      await runtime.containers.kill(holder.id).catch(() => undefined);
      throw new BenchmarkError(
        'STORAGE_REFUSED',
        {
          storage: 'volume with driver options',
          reason: msg('folder.notDeletedContainer', {
            name: own,
            reason: wordsOf(error),
            container: holder.name,
          }),
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
  const words =
    error instanceof BenchmarkError ? englishOf(error.params['reason'] ?? error.message) : reasonOf(error);
  return words.replace(/\.$/, '');
}

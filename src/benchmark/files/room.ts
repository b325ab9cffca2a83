import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { MIB } from '../../shared/model/server-settings.ts';
import { formatBytes } from '../../shared/words/units.ts';
import type { RunContext } from '../run/context.ts';
import { freeBytes } from './free-bytes.ts';

/** More than servers write in a few slices. */
const LEAST_FREE_BYTES = 512 * MIB;

export async function watchedFolders({
  runtime,
  bindRoot,
  dataDir,
}: Pick<RunContext, 'runtime' | 'bindRoot' | 'dataDir'>): Promise<string[]> {
  const dataRoot = await runtime.dataRoot().catch(() => undefined);
  return [dataRoot, bindRoot, dataDir].filter((folder) => folder !== undefined);
}

/** Rejects with STORAGE_FULL before a disk is full. */
export async function requireRoom(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const free = await freeBytes(folder);
    if (free === undefined || free >= LEAST_FREE_BYTES) continue;
    const reason = msg('reason.nearlyFull', { free: formatBytes(free) });
    throw new BenchmarkError('STORAGE_FULL', { storage: folder, reason });
  }
}

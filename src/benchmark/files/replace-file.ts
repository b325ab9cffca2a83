import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, open, rename, rm } from 'node:fs/promises';
import { PRIVATE_FILE } from './data-dir.ts';

/**
 * A name beside a file for its next version while that is being written: nobody else's, neither another process's nor
 * another writer's in this one, so that two who write at the same time never write into one file.
 */
export function draftOf(path: string): string {
  return `${path}.${randomUUID().slice(0, 8)}.tmp`;
}

/** True for the name of a file that `draftOf` has named and that nobody has finished. */
export function isDraftOf(name: string, path: string): boolean {
  return name.startsWith(path) && /^\.[0-9a-f]{8}\.tmp$/.test(name.slice(path.length));
}

/**
 * Replaces a file by what `write` puts at the path it is given, readable by its user alone. A reader sees the old file or
 * the new one, never half of one, also after a crash; of two writers at the same time the last one wins. Rejects as
 * `write` and renaming do.
 */
export async function replaceFile(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = draftOf(path);
  try {
    await (await open(draft, 'wx', PRIVATE_FILE)).close();
    await write(draft);
    // A copy has the mode of what was copied.
    await chmod(draft, PRIVATE_FILE);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The same without waiting, for a file of a few lines that must be known before the window opens. Throws as the system does. */
export function replaceFileNow(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE });
    renameSync(draft, path);
  } catch (error) {
    try {
      rmSync(draft, { force: true });
    } catch {
      // Where nothing can be written, nothing was; what went wrong first is told.
    }
    throw error;
  }
}

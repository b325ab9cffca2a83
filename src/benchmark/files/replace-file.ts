import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { PRIVATE_FILE } from './data-dir.ts';

/** Concurrent writers must never share a draft. */
export function draftOf(path: string): string {
  return `${path}.${randomUUID().slice(0, 8)}.tmp`;
}

export function isDraftOf(name: string, path: string): boolean {
  return name.startsWith(path) && /^\.[0-9a-f]{8}\.tmp$/.test(name.slice(path.length));
}

/** Atomic; the last writer wins. Rejects with system errors. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = draftOf(path);
  try {
    // Without a flush, a power cut could leave an empty file.
    await writeFile(draft, content, { flag: 'wx', mode: PRIVATE_FILE, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** A synchronous write for files needed before the window opens. Throws system errors. */
export function replaceFileNow(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE });
    renameSync(draft, path);
  } catch (error) {
    try {
      rmSync(draft, { force: true });
    } catch {}
    throw error;
  }
}

import { promises as fs } from 'node:fs';

/** Bytes free for this user; undefined if unknown. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  // Electron 22: its Node has no statfs.
  if (typeof fs.statfs !== 'function') return undefined;
  return fs.statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}

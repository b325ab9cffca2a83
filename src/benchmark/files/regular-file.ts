import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';

/** Files here may never end, or belong to the system. */
export const SPECIAL = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Follows links. Undefined for other than regular files; a pipe doesn't block. Rejects like `open`. */
export async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  const real = await realpath(path);
  if (SPECIAL.test(real) || !(await stat(real)).isFile()) return undefined;
  // A pipe may have taken its place since.
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const isStill = await file.stat().then(
    (found) => found.isFile(),
    () => false,
  );
  if (isStill) return file;
  await file.close();
  return undefined;
}

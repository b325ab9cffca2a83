import { readdir } from 'node:fs/promises';
import { errnoOf } from '../errno.ts';
import { writingAt } from './write-failure.ts';

/**
 * What is read at a path of the data folder; undefined where there is nothing. Rejects with DATA_FOLDER_UNREADABLE: what can't
 * be read must not look as if it were not there.
 */
export function ifThere<T>(path: string, read: (path: string) => Promise<T>): Promise<T | undefined> {
  return writingAt(path, 'DATA_FOLDER_UNREADABLE', async () => {
    try {
      return await read(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

/** The names in a folder, sorted; none where there is no such folder. Rejects with DATA_FOLDER_UNREADABLE. */
export async function namesIn(folder: string): Promise<string[]> {
  return ((await ifThere(folder, (path) => readdir(path))) ?? []).sort();
}

import { readdir } from 'node:fs/promises';
import { errnoOf } from '../errno.ts';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';

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

/** What the system's codes mean for whoever wanted to read or write; Node's own words do for all others. */
const NOT_WRITABLE = 'you may not write there';
const WHY: Record<string, string> = {
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: 'it is on a file system that can only be read',
  ENOENT: 'a folder on the way is missing',
  ENOTDIR: 'a part of the way is a file, not a folder',
  EEXIST: 'there is a file of that name already',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
};

/** The system's code of a failure; undefined for what did not come from the system. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? errnoOf(error) : undefined;
}

function reasonOf(path: string, code: string, error: unknown, isRead: boolean): string {
  const written = WHY[code];
  const why = isRead && written === NOT_WRITABLE ? 'you may not read it' : written;
  if (why !== undefined) return `${path}: ${why} (${code})`;
  return `${path}: ${messageOf(error)}`;
}

type FailureCode = 'DATA_FOLDER_UNWRITABLE' | 'DATA_FOLDER_UNREADABLE' | 'EXPORT_FAILED';

/** What the system refused at `path`, as `code` with the path and the reason; anything else as it is. */
export function failureAt(path: string, code: FailureCode, error: unknown): unknown {
  const system = systemCode(error);
  if (system === undefined) return error;
  const reason = reasonOf(path, system, error, code === 'DATA_FOLDER_UNREADABLE');
  return new BenchmarkError(code, { reason }, { cause: error });
}

/** Does something that reads or writes at `path`. Rejects with `failureAt`. */
export async function writingAt<T>(path: string, code: FailureCode, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw failureAt(path, code, error);
  }
}

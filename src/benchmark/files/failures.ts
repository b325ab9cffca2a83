import { readdir } from 'node:fs/promises';
import { type MessageCode, msg, type Said } from '../../shared/message.ts';
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
const WHY: Record<string, MessageCode> = {
  ENOSPC: 'file.noRoom',
  EDQUOT: 'file.noRoom',
  EACCES: 'file.notWritable',
  EPERM: 'file.notWritable',
  EROFS: 'file.readOnly',
  ENOENT: 'file.folderMissing',
  ENOTDIR: 'file.partIsFile',
  EEXIST: 'file.exists',
  EMFILE: 'file.tooManyOpen',
  ENFILE: 'file.tooManyOpen',
  EIO: 'file.diskError',
};

/** The system's code of a failure; undefined for what did not come from the system. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? errnoOf(error) : undefined;
}

function reasonOf(path: string, code: string, error: unknown, isRead: boolean): Said {
  const why = WHY[code];
  if (why === undefined) return `${path}: ${messageOf(error)}`;
  return msg(isRead && why === 'file.notWritable' ? 'file.notReadable' : why, { path, code });
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

import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import { errnoOf } from '../errno.ts';

type WriteFailureCode = 'DATA_FOLDER_UNWRITABLE' | 'EXPORT_FAILED';

/** What the system's codes mean for whoever wanted to write; Node's own words do for all others. */
const WHY: Record<string, string> = {
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is on a file system that can only be read',
  ENOENT: 'a folder on the way is missing',
  ENOTDIR: 'a part of the way is a file, not a folder',
  EEXIST: 'there is a file of that name already',
};

/** The system's code of a failure; undefined for what did not come from the system. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? errnoOf(error) : undefined;
}

function reasonOf(path: string, code: string, error: unknown): string {
  const why = WHY[code];
  if (why !== undefined) return `${path}: ${why} (${code})`;
  return `${path}: ${messageOf(error)}`;
}

/** The error `code` of something that failed to be written at `path`, with the reason. */
export function writeFailure(path: string, code: WriteFailureCode, error: unknown): BenchmarkError {
  const system = systemCode(error);
  const reason = system === undefined ? messageOf(error) : reasonOf(path, system, error);
  return new BenchmarkError(code, { reason }, { cause: error });
}

/**
 * Does something that writes at `path`. What the system refuses rejects as `code`, with the path and the reason; anything
 * else as it is.
 */
export async function writingAt<T>(
  path: string,
  code: WriteFailureCode,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw writeFailure(path, code, error);
  }
}

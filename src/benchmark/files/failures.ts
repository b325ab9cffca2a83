import { accessSync, constants, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type MessageCode, msg, type Said } from '../../shared/message.ts';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';

/** Undefined if missing; other errors reject with DATA_FOLDER_UNREADABLE. */
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

export async function namesIn(folder: string): Promise<string[]> {
  return ((await ifThere(folder, (path) => readdir(path))) ?? []).sort();
}

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

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? errnoOf(error) : undefined;
}

function reasonOf(path: string, code: string, error: unknown, isRead: boolean): Said {
  const why = WHY[code];
  if (why === undefined) return `${path}: ${messageOf(error)}`;
  return msg(isRead && why === 'file.notWritable' ? 'file.notReadable' : why, { path, code });
}

type FailureCode =
  'DATA_FOLDER_UNWRITABLE' | 'DATA_FOLDER_UNREADABLE' | 'EXPORT_FAILED' | 'OVERRIDE_NOT_WRITTEN';

export function failureAt(path: string, code: FailureCode, error: unknown): unknown {
  const isRead = code === 'DATA_FOLDER_UNREADABLE';
  const real = isRead ? error : realCause(path, error);
  const system = systemCode(real);
  if (system === undefined) return error;
  const reason = reasonOf(path, system, real, isRead);
  return new BenchmarkError(code, { reason }, { cause: error });
}

/** Where a parent can't be written, `mkdir` with `recursive` reports a missing folder. */
function realCause(path: string, error: unknown): unknown {
  if (errnoOf(error) !== 'ENOENT') return error;
  let parent = dirname(path);
  while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    return error;
  } catch (cause) {
    return cause;
  }
}

export async function writingAt<T>(path: string, code: FailureCode, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw failureAt(path, code, error);
  }
}

export function errnoOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function isMissing(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

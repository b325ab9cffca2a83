import { msg } from '../../../shared/message.ts';
import { BenchmarkError, messageOf } from '../../../shared/errors.ts';
import { errnoOf } from '../../files/failures.ts';
import { errorNumber } from './server-errors.ts';

/** Denied by schema, account, or plugin. */
const ACCESS_DENIED: ReadonlySet<number> = new Set([1044, 1045, 1698]);
/** Too many connections in all, of the account, or by its limit. */
const TOO_MANY_CONNECTIONS: ReadonlySet<number> = new Set([1040, 1203, 1226]);
const TOO_MANY_STATEMENTS = 1461;
/** The table or the disk is full. */
const FULL: ReadonlySet<number> = new Set([1114, 1021]);

const OUT_OF_FILES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);
const NO_MORE_FILES = msg('load.fileLimit');

/** `42S02 (1146): Table … doesn't exist`; mysql2's codes are names, as `ER_NO_SUCH_TABLE`. */
export function describeError(error: unknown): string {
  const code = errnoOf(error) ?? '';
  const number = errorNumber(error);
  const name = [code, number === undefined ? '' : `(${number})`].filter((part) => part !== '').join(' ');
  return [name, messageOf(error)].filter((part) => part !== '').join(': ');
}

export function isAccessDenied(error: unknown): boolean {
  return ACCESS_DENIED.has(errorNumber(error) ?? 0);
}

export function isStorageFull(error: unknown): boolean {
  return (
    FULL.has(errorNumber(error) ?? 0) ||
    /errno:? (28|122)\b|no space left on device/i.test(error instanceof Error ? error.message : '')
  );
}

export interface LoadNeeds {
  connections: number;
  preparedStatements: number;
}

export function loadError(error: unknown, needs: LoadNeeds): BenchmarkError {
  if (error instanceof BenchmarkError) return error;
  const reason = OUT_OF_FILES.has(errnoOf(error) ?? '') ? NO_MORE_FILES : describeError(error);
  const number = errorNumber(error) ?? 0;
  if (TOO_MANY_CONNECTIONS.has(number)) {
    return new BenchmarkError(
      'CONNECTIONS_REFUSED',
      { connections: String(needs.connections), reason },
      { cause: error },
    );
  }
  if (number === TOO_MANY_STATEMENTS) {
    return new BenchmarkError(
      'TOO_MANY_STATEMENTS',
      { needed: String(needs.preparedStatements), limit: /\d{2,}/.exec(messageOf(error))?.[0] ?? reason },
      { cause: error },
    );
  }
  if (ACCESS_DENIED.has(number)) return new BenchmarkError('ACCESS_DENIED', { reason }, { cause: error });
  if (isStorageFull(error)) {
    return new BenchmarkError('STORAGE_FULL', { storage: 'datadir', reason }, { cause: error });
  }
  return new BenchmarkError('LOAD_FAILED', { reason }, { cause: error });
}

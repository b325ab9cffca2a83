import { describe, expect, it } from 'vitest';
import {
  describeError,
  isStorageFull,
  loadError,
} from '../../../../../src/benchmark/load/builtin/sql-error.ts';
import { errorNumber, ignoredError } from '../../../../../src/benchmark/load/builtin/server-errors.ts';
import { needsOf } from '../../../../../src/benchmark/load/builtin/workloads.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import { workloadSchema } from '../../../../../src/shared/model/workload.ts';

const error = (errno: number, code: string, message: string): Error =>
  Object.assign(new Error(message), { errno, code });
const needs = needsOf({ connections: 256, workload: workloadSchema.parse({ tables: 8 }) });

describe('errors of a server', () => {
  it.each([
    [error(1040, 'ER_CON_COUNT_ERROR', 'Too many connections'), 'CONNECTIONS_REFUSED'],
    [error(1203, 'ER_TOO_MANY_USER_CONNECTIONS', 'already has more'), 'CONNECTIONS_REFUSED'],
    [error(1045, 'ER_ACCESS_DENIED_ERROR', 'Access denied'), 'ACCESS_DENIED'],
    [error(1114, 'ER_RECORD_FILE_FULL', "The table 'sbtest1' is full"), 'STORAGE_FULL'],
    [error(1146, 'ER_NO_SUCH_TABLE', "Table 'x' doesn't exist"), 'LOAD_FAILED'],
    [error(-111, 'ECONNREFUSED', 'connect ECONNREFUSED'), 'LOAD_FAILED'],
    [new Error('odd'), 'LOAD_FAILED'],
    ['not even an error', 'LOAD_FAILED'],
  ])('%s is told as %s', (thrown, code) => {
    expect(loadError(thrown, needs).code).toBe(code);
  });

  it('says how many prepared statements are needed and allowed', () => {
    const text = "Can't create more than max_prepared_stmt_count statements (current value: 16382)";
    expect(loadError(error(1461, 'ER_MAX_PREPARED_STMT_COUNT_REACHED', text), needs).params).toEqual({
      needed: '18432',
      limit: '16382',
    });
  });

  it('names code, number and message as far as they are known', () => {
    expect(describeError(error(1146, 'ER_NO_SUCH_TABLE', 'no table'))).toBe(
      'ER_NO_SUCH_TABLE (1146): no table',
    );
    expect(describeError(error(-111, 'ECONNREFUSED', ''))).toBe('ECONNREFUSED');
    expect(describeError('text')).toBe('text');
    expect(errorNumber(error(-111, 'ECONNREFUSED', ''))).toBeUndefined();
  });

  it('says what to do about a limit of open files of this program', () => {
    const { code, message } = loadError(error(-24, 'EMFILE', 'connect EMFILE 127.0.0.1:1'), needs);
    expect([code, message]).toEqual(['LOAD_FAILED', expect.stringContaining('ulimit -n')]);
    const ours = new BenchmarkError('STOPPED');
    expect(loadError(ours, needs)).toBe(ours);
  });

  it('knows which only mean "once more", and which mean that the disk is full', () => {
    expect(ignoredError(error(1213, 'ER_LOCK_DEADLOCK', 'Deadlock found'))).toBe(1213);
    expect(ignoredError(error(1062, 'ER_DUP_ENTRY', 'Duplicate entry'))).toBeUndefined();
    const full = [
      error(1114, 'ER_RECORD_FILE_FULL', 'The table is full'),
      error(1026, 'ER_ERROR_ON_WRITE', 'Error writing file (errno: 28 - No space…)'),
      error(3, 'EE_WRITE', 'Error writing file (OS errno 122 - Disk quota exceeded)'),
      error(1064, 'ER_PARSE_ERROR', 'syntax'),
    ];
    expect(full.map(isStorageFull)).toEqual([true, true, true, false]);
  });
});

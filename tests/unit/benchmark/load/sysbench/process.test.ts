import { describe, expect, it } from 'vitest';
import { sysbenchError } from '../../../../../src/benchmark/load/sysbench/run.ts';
import { buildSpec, recorded } from './fixtures.ts';

const errorOf = (lines: string[], status: number | string = 1) =>
  sysbenchError({ lines, status }, buildSpec());

describe('sysbenchError', () => {
  it.each([
    ['denied', 'ACCESS_DENIED', "(1045): Access denied for user 'bench'@'172.17.0.3' (using password: YES)"],
    ['unreachable', 'LOAD_FAILED', "(2002): Can't connect to server on '172.17.0.2' (115)"],
    ['no-socket', 'LOAD_FAILED', "(2002): Can't connect to local server through socket '/none' (2)"],
    ['no-table', 'LOAD_FAILED', "(1146): Table 'sbtest.sbtest2' doesn't exist"],
    ['connections', 'CONNECTIONS_REFUSED', '(1040): Too many connections'],
    ['server-lost', 'LOAD_FAILED', '(2013): Lost connection to server during query'],
  ])('names what a recorded run says: %s', (name, code, reason) => {
    const lines = recorded(name);
    const error = errorOf(lines);
    expect(error).toMatchObject({ code, params: { reason } });
    expect(error.evidence).toEqual(lines);
  });

  it('says how many prepared statements were needed', () => {
    const lines = recorded('statements').map((line) => line.replace('value: 9)', 'value: 16382)'));
    expect(errorOf(lines)).toMatchObject({
      code: 'TOO_MANY_STATEMENTS',
      params: { needed: '16', limit: '16382' },
    });
  });

  it.each([
    [["FATAL: error 2059: Authentication plugin 'x' cannot be loaded: no"], "'x' cannot be loaded"],
    [['FATAL: Worker threads failed to initialize within 30 seconds!'], 'threads failed to initialize'],
    [['x', 'FATAL: The --max-time limit has expired, forcing shutdown...'], 'forcing shutdown'],
    [['Initializing worker threads...'], 'without figures (SIGSEGV)'],
    [[], 'without figures (SIGSEGV)'],
  ])('takes what there is: %j', (lines, reason) => {
    expect(errorOf(lines, 'SIGSEGV')).toMatchObject({
      code: 'LOAD_FAILED',
      params: { reason: expect.stringContaining(reason) },
    });
  });
});

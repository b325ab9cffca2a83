import { describe, expect, it } from 'vitest';
import {
  sysbenchArguments,
  sysbenchConfig,
  type SysbenchRun,
  sysbenchRuns,
} from '../../../../../src/benchmark/load/sysbench/arguments.ts';
import { sysbenchRefusal } from '../../../../../src/shared/preset/sysbench.ts';
import { DISTRIBUTIONS, OLTP_KINDS } from '../../../../../src/shared/model/names.ts';
import { oltpWorkloadSchema, workloadSchema } from '../../../../../src/shared/model/workload.ts';
import type { LoadSpec } from '../../../../../src/benchmark/load/load-client.ts';
import { buildSpec } from './fixtures.ts';

const files = { script: '/tmp/x/load.lua', config: '/tmp/x/account.cnf' };
const measure: SysbenchRun = { phase: 'measure', seconds: 3 };
const of = (fields: Partial<LoadSpec> = {}, run = measure): string[] =>
  sysbenchArguments(buildSpec(fields), run, files);
const seedOf = (args: string[]): number =>
  Number(args.find((one) => one.startsWith('--rand-seed='))?.split('=')[1]);

describe('sysbenchArguments', () => {
  it('says all that decides the load, and no account', () => {
    const workload = oltpWorkloadSchema.parse({
      ...{ kind: 'oltp_read_write', tables: 3, tableSize: 700, rangeSize: 20, distribution: 'pareto' },
      ...{ skipTransactions: true, preparedStatements: false },
    });
    expect(of({ workload, connections: 16 }).join(' ')).toBe(
      '/tmp/x/load.lua --config-file=/tmp/x/account.cnf --mysql-host=172.17.0.2 --mysql-port=3306 --mysql-ssl=off ' +
        '--mysql-ignore-errors=1213,1020,1205 --threads=16 --events=0 --time=3 --forced-shutdown=30 ' +
        '--report-interval=1 --percentile=95 --rand-seed=2 --db-ps-mode=disable --rand-type=pareto --tables=3 ' +
        '--table-size=700 --range-size=20 --skip-trx=on run',
    );
    expect(of()).toEqual(
      expect.arrayContaining(['--db-ps-mode=auto', '--skip-trx=off', '--rand-type=uniform']),
    );
  });

  it('takes a socket file instead of an address, and never the library’s own', () => {
    const { target } = buildSpec();
    const socket = of({ target: { ...target, host: 'localhost', socketPath: '/run/my.sock' } });
    expect(socket).toContain('--mysql-socket=/run/my.sock');
    expect(socket.join(' ')).not.toMatch(/--mysql-(host|port)/);
    expect(of({ target: { ...target, host: 'localhost' } })).toContain('--mysql-host=127.0.0.1');
  });

  it('draws other ids for the warm-up, and never takes the time of day for a seed', () => {
    expect(seedOf(of({ seed: 5 }))).toBe(seedOf(of({ seed: 5 })));
    expect(seedOf(of({ seed: 5 }, { phase: 'warmup', seconds: 1 }))).not.toBe(seedOf(of({ seed: 5 })));
    for (const seed of [0, -1, 2 ** 31 - 1, 2 ** 32 - 1]) {
      expect(seedOf(of({ seed }))).toBeGreaterThan(0);
      expect(seedOf(of({ seed }))).toBeLessThan(2 ** 31);
    }
  });
});

it('runs last whole seconds, rounded up', () => {
  expect(sysbenchRuns({ warmupMs: 500, durationMs: 2001 })).toEqual([
    { phase: 'warmup', seconds: 1 },
    { phase: 'measure', seconds: 3 },
  ]);
  expect(sysbenchRuns({ warmupMs: 0, durationMs: 1000 })).toEqual([{ phase: 'measure', seconds: 1 }]);
});

describe('sysbenchConfig', () => {
  const config = (password: string): string => sysbenchConfig({ ...buildSpec().target, password });

  it('quotes values', () => {
    expect(config('a b')).toBe('mysql-user="bench"\nmysql-password="a b"\nmysql-db="sbtest"\n');
    expect(config('a"b')).toContain(`mysql-password='a"b'\n`);
  });

  it.each([`a"'b`, 'a\nthreads=1', 'a\r'])('refuses %j', (password) => {
    expect(() => config(password)).toThrow('mysql-password');
  });
});

it('what 1.0.20 has not is refused', () => {
  const refusal = (fields: object) => sysbenchRefusal(workloadSchema.parse(fields))?.code;
  expect(refusal({ kind: 'tpcc' })).toBe('support.sysbenchTpcc');
  expect(OLTP_KINDS.filter((kind) => refusal({ kind }) !== undefined)).toEqual(['oltp_complex']);
  expect(DISTRIBUTIONS.filter((one) => refusal({ distribution: one }) !== undefined)).toEqual(['zipfian']);
  expect(() => of({ workload: workloadSchema.parse({ kind: 'tpcc' }) })).toThrow('TPC-C');
});

import { describe, expect, it } from 'vitest';
import { warmUp, type ToWarm } from '../../../../src/benchmark/run/warm-up.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';

const INDEXES = [
  ['a', 'PRIMARY'],
  ['a', 'k'],
  ['b', 'PRIMARY'],
];

/** A server with two tables whose page reads grow by `reads` in each stretch of load of ten transactions. */
async function warmed(reads: number[], { bufferPoolMiB = 512, warmupSeconds = 0, refusal = '' } = {}) {
  let pages = 0;
  const told: string[] = [];
  const parts = {
    client: {
      query: (_: unknown, sql: string) => {
        if (sql.includes('STATISTICS')) return Promise.resolve(INDEXES);
        if (sql.includes('STATUS')) {
          return refusal === ''
            ? Promise.resolve([['Innodb_buffer_pool_reads', String(pages)]])
            : Promise.reject(new BenchmarkError('QUERY_FAILED', { reason: refusal }));
        }
        told.push(sql.replace(/^.*FROM `(.*)` .*`(.*)`.*$/, 'read $1 $2'));
        return Promise.resolve([[1]]);
      },
    },
    target: {},
    load: {
      slice: () => {
        told.push('load');
        pages += reads.shift() ?? 0;
        return Promise.resolve({ transactions: 10 });
      },
    },
    config: { settings: { bufferPoolMiB } },
    // About 100 MB.
    plan: { workload: workloadSchema.parse({ tables: 4, tableSize: 100_000 }), schedule: { warmupSeconds } },
    signal: new AbortController().signal,
  };
  await warmUp(parts as unknown as ToWarm);
  return told;
}

const LOAD = (count: number): string[] => Array.from({ length: count }, () => 'load');

describe('a server that has just started', () => {
  it('has every index of every table read, and is loaded once when no page is read any more', async () => {
    expect(await warmed([0])).toEqual(['read a PRIMARY', 'read a k', 'read b PRIMARY', 'load']);
  });

  it('is not read through when its pool is too small to hold all', async () => {
    expect(await warmed([0], { bufferPoolMiB: 64 })).toEqual(['load']);
  });

  it('is loaded until its page reads per transaction fall no more, or are few', async () => {
    const small = { bufferPoolMiB: 64 };
    expect(await warmed([900, 400, 100, 0], small)).toEqual(LOAD(4));
    // Pages that the pool can’t hold are read on and on.
    expect(await warmed([900, 400, 390, 380, 370], small)).toEqual(LOAD(3));
  });

  it('is loaded for no longer than ten seconds', async () => {
    const halving = Array.from({ length: 60 }, (_, index) => Math.round(2 ** (60 - index)));
    expect(await warmed(halving, { bufferPoolMiB: 64 })).toEqual(LOAD(25));
  });

  it('is loaded as long as the preset says where it tells no page reads', async () => {
    expect(await warmed([], { bufferPoolMiB: 64, warmupSeconds: 2, refusal: 'denied' })).toEqual(LOAD(5));
  });
});

import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  SharedCounts,
  ThreadCounts,
  valueOf,
} from '../../../../../../src/benchmark/load/node/threads/shared-counts.ts';
import { StatementTimes } from '../../../../../../src/benchmark/load/node/statement-times.ts';
import { emptyCounts, WindowSchedule } from '../../../../../../src/benchmark/load/node/counts.ts';
import { createHistogram, decodeHistogram } from '../../../../../../src/shared/histogram/histogram.ts';

const schedule = new WindowSchedule(500, 2000);

/** Two threads that one test plays. */
function twoThreads() {
  const shared = new SharedCounts(2);
  const threads = [0, 1].map((thread) => new ThreadCounts(shared.memory, thread, schedule));
  const times = new StatementTimes();
  const finish = (
    thread: number,
    beganMs: number,
    endMs: number,
    errors: Record<string, number> = {},
  ): void => {
    const one = threads[thread];
    one?.record('point', 100);
    one?.finish(
      beganMs,
      { ...emptyCounts(), transactions: 1, reads: 2, writes: 3, other: 4, errors },
      () => endMs,
    );
  };
  const collect = (position: number) => {
    const counts = emptyCounts();
    const latencies = createHistogram();
    shared.collect(position, counts, latencies, times);
    times.endWindow(true);
    return { counts, latencies };
  };
  return { shared, threads, times, finish, collect };
}

describe('the counts that threads share', () => {
  it('are those of the window in which a transaction ended', () => {
    const { finish, collect } = twoThreads();
    finish(0, 0, 499);
    finish(1, 0, 500);
    finish(0, 499, 1499, { 1213: 2, 1062: 1 });
    finish(1, 500, 1500);
    expect(collect(0).counts).toMatchObject({ transactions: 1, reads: 2, writes: 3, other: 4, errors: {} });
    expect(collect(1).counts).toMatchObject({ transactions: 2, errors: { 1213: 2, 1062: 1 } });
    expect(collect(2).counts.transactions).toBe(1);
  });

  it('are taken once, with their latencies and statements', () => {
    const { finish, collect, times } = twoThreads();
    finish(0, 0, 20);
    finish(1, 0, 40);
    const { latencies } = collect(0);
    expect(latencies.totalCount).toBe(2);
    expect(latencies.getValueAtPercentile(100)).toBeCloseTo(40_000, -2);
    expect(collect(0)).toMatchObject({ counts: { transactions: 0 }, latencies: { totalCount: 0 } });
    expect(decodeHistogram(times.encoded().statements.point ?? '').totalCount).toBe(2);
  });

  it('leave out what ended after the last window', () => {
    const { finish, collect } = twoThreads();
    finish(0, 2000, 2500);
    expect(collect(2).counts.transactions).toBe(0);
  });

  it('tell all threads to stop', () => {
    const { shared, threads } = twoThreads();
    expect(threads.map(({ isStopped }) => isStopped)).toEqual([false, false]);
    shared.stop();
    expect(threads.map(({ isStopped }) => isStopped)).toEqual([true, true]);
  });

  it('have buckets no wider than a thousandth, in order', () => {
    for (let us = 1; us < 2 ** 32; us = Math.ceil(us * 1.0007)) {
      const value = valueOf(bucketOf(us));
      expect(value).toBeLessThanOrEqual(us);
      expect(us - value).toBeLessThanOrEqual(us / 1000);
      expect(bucketOf(value)).toBe(bucketOf(us));
    }
  });
});

import { describe, expect, it } from 'vitest';
import { RunReader } from '../../../../../src/benchmark/load/sysbench/figures.ts';
import { readRecord, type SysbenchRecord } from '../../../../../src/benchmark/load/sysbench/script.ts';
import { decodeHistogram } from '../../../../../src/shared/histogram/histogram.ts';
import type { Window } from '../../../../../src/shared/model/measurements.ts';
import { recorded } from './fixtures.ts';

function read(records: SysbenchRecord[], seconds: number) {
  const windows: Window[] = [];
  let starts = 0;
  const reader = new RunReader({ phase: 'measure', seconds }, 4, {
    connected: () => starts++,
    window: (window) => windows.push(window),
  });
  const windowsAfter = records.map((record) => {
    reader.add(record);
    return windows.length;
  });
  return { windows, windowsAfter, starts, figures: reader.figures() };
}
const real = recorded('write-only').flatMap((line) => readRecord(line) ?? []);
const sum = (of: number[]): number => of.reduce((total, one) => total + one, 0);

describe('RunReader', () => {
  it('reads a recorded run: windows sum to the totals', () => {
    const { windows, starts, figures } = read(real, 3);
    expect(starts).toBe(1);
    expect(windows.map(({ transactions }) => transactions)).toEqual([4039, 3291, 2700]);
    expect(windows.map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
      [0, 1002.704],
      [1002.704, 999.768],
      [2002.471, 1001.421],
    ]);
    expect(figures?.totals).toMatchObject({
      ...{ durationMs: 3003.892, transactions: 10030, reads: 0, writes: 40123, other: 20063 },
      errors: { 1213: 3 },
      latency: { count: 10030, minUs: 310, meanUs: 1193.739, maxUs: 35690 },
    });
    expect(sum(windows.map(({ writes }) => writes))).toBe(40123);
    expect(sum(windows.map(({ other }) => other))).toBe(20063);
    expect(sum(windows.map(({ latency }) => latency?.count ?? 0))).toBe(10030);
    expect(figures?.cpuSeconds).toBeCloseTo(1.450746 - 0.028626, 6);
    const histogram = decodeHistogram(figures?.totals.histogram ?? '');
    expect(Math.abs(histogram.mean / 1193.739 - 1)).toBeLessThan(0.0101);
    expect(histogram.maxValue).toBeLessThanOrEqual(36000);
  });

  it('gives windows when they end, but the last one at the end of the run', () => {
    const { windowsAfter } = read(real, 3);
    const told = real.map(({ type }, index) => [type, windowsAfter[index]]);
    expect(told.filter(([type]) => type !== 'connected' && type !== 'retried')).toEqual([
      ['interval', 1],
      ['interval', 2],
      ['latencies', 2],
      ['total', 3],
    ]);
    // A tick at the very end may come or not.
    expect(read(real, 2).windows.map(({ transactions }) => transactions)).toEqual([4039, 5991]);
  });

  it('counts errors by code, in the window in which they were told', () => {
    // In the recording three transactions met a deadlock, after the first second.
    const late = { type: 'retried', code: 1205 } as const;
    const { windows, figures } = read([...real.slice(0, -1), late, ...real.slice(-1)], 3);
    expect(windows.map(({ errors }) => errors)).toEqual([{}, { 1213: 2 }, { 1213: 1, 1205: 1 }]);
    expect(figures?.totals.errors).toEqual({ 1213: 3, 1205: 1 });
  });

  it('leaves out an interval that held a pause, and the next one, in which its transactions end', () => {
    const counts = { transactions: 100, reads: 0, writes: 400, other: 200 };
    // One transaction was under way in the pause: bucket 900 is 11 s.
    const latencies = (all: number, slow: number): { buckets: [number, number][] } => ({
      buckets: [500, 900].map((bucket) => [bucket, bucket === 900 ? slow : all - slow]),
    });
    const records = [1, 4.2, 1, 1].flatMap((seconds, index): SysbenchRecord[] => [
      ...(index === 1 ? [{ type: 'retried' as const, code: 1213 }] : []),
      { type: 'interval', ...counts, seconds, ...latencies(100 * (index + 1), index > 1 ? 1 : 0) },
    ]);
    const all = { transactions: 500, reads: 0, writes: 2000, other: 1000, seconds: 8.2 };
    records.push({ type: 'latencies', ...latencies(500, 1) });
    records.push({ type: 'total', ...all, cpu: 1, minUs: 800, meanUs: 30_000, maxUs: 11_000_000 });
    const { windows, figures } = read(records, 6);
    expect(windows.map(({ interrupted }) => interrupted)).toEqual([false, true, true, false, false]);
    expect(figures?.totals).toMatchObject({
      ...{ durationMs: 3000, excludedMs: 5200, transactions: 300, writes: 1200, errors: {} },
      latency: { count: 300 },
    });
    expect(figures?.totals.latency?.maxUs).toBeLessThan(11_000);
  });

  it('keeps each latency when an interval is printed after the last transaction', () => {
    const counts = { reads: 0, writes: 0, other: 0, seconds: 1 };
    const { windows, figures } = read(
      [
        { type: 'interval', ...counts, transactions: 50, buckets: [[500, 50]] },
        { type: 'latencies', buckets: [[500, 100]] },
        { type: 'interval', ...counts, transactions: 49, buckets: [[500, 99]] },
        { type: 'total', ...counts, seconds: 2, transactions: 100, cpu: 1, minUs: 8, meanUs: 9, maxUs: 9 },
      ],
      2,
    );
    expect(windows.map(({ latency }) => latency?.count)).toEqual([50, 50]);
    expect(figures?.totals.latency?.count).toBe(100);
  });

  it('has no latency when nothing was completed, and no figures without an end', () => {
    const nothing = { transactions: 0, reads: 0, writes: 0, other: 0, seconds: 1.5 };
    const end = { type: 'total', ...nothing, cpu: 0, minUs: 0, meanUs: 0, maxUs: 0 } as const;
    const { windows, figures } = read([end], 1);
    expect(windows).toMatchObject([{ transactions: 0, durationMs: 1500, latency: null }]);
    expect(figures?.totals).toMatchObject({ transactions: 0, latency: null, histogram: '' });
    expect(read(real.slice(0, -1), 3).figures).toBeUndefined();
  });
});

describe('readRecord', () => {
  it('takes no other lines, and no length that would be no number any more in a result', () => {
    const line = (seconds: string): string =>
      `@whalemark {"type":"interval","seconds":${seconds},"transactions":1,"reads":0,"writes":0,"other":0,"buckets":[]}`;
    expect(readRecord(line('1.01'))).toMatchObject({ seconds: 1.01 });
    const broken = ['@whalemark {"type":"total"', '@whalemark {"type":"retried","code":1.5}'];
    for (const one of ['Threads started!', ...broken, ...['1e308', '1e400', '-1'].map(line)])
      expect(readRecord(one)).toBeUndefined();
  });
});

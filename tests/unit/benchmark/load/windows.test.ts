import { describe, expect, it } from 'vitest';
import { spread } from '../../../../src/benchmark/load/node/coordinator.ts';
import {
  emptyCounts,
  PartRecorder,
  WindowMerger,
  type Part,
} from '../../../../src/benchmark/load/node/windows.ts';
import type { Window } from '../../../../src/shared/model/measurements.ts';

const one = { ...emptyCounts(), transactions: 1, reads: 14, writes: 4, other: 2 };

/** The parts of a worker whose transactions end at the given times, ms after the start. */
function recorded(warmupMs: number, durationMs: number, ends: number[]): Part[] {
  const parts: Part[] = [];
  const recorder = new PartRecorder(warmupMs, durationMs, (part) => parts.push(part));
  for (const at of ends) recorder.record(at, 1000 + at, one);
  recorder.advance(warmupMs + durationMs);
  return parts;
}

function merged(workers: number, warmupMs: number, durationMs: number, parts: Part[]) {
  const windows: Window[] = [];
  const merger = new WindowMerger(workers, warmupMs, durationMs, (window) => windows.push(window));
  for (const part of parts) merger.add(part);
  return { windows, totals: merger.totals() };
}

describe('windows', () => {
  it('count a transaction where it ends; what ends too late does not count', () => {
    const parts = recorded(1500, 2500, [0, 999.9, 1000, 1499, 1500, 2499.9, 2500, 3999, 4000, 9000]);
    expect(parts.map(({ phase, index, transactions }) => [phase, index, transactions])).toEqual([
      ['warmup', 0, 2],
      ['warmup', 1, 2],
      ['measure', 0, 2],
      ['measure', 1, 1],
      ['measure', 2, 1],
    ]);
  });

  it('are given for seconds in which nothing ended', () => {
    const { windows } = merged(1, 0, 3000, recorded(0, 3000, [2500]));
    expect(windows.map(({ transactions, latency }) => [transactions, latency?.count ?? null])).toEqual([
      [0, null],
      [0, null],
      [1, 1],
    ]);
  });

  it('wait for every worker and keep their order, whoever is late', () => {
    const a = recorded(0, 2000, [100, 1100]);
    const b = recorded(0, 2000, [200, 1200, 1300]);
    const late = [a[0], a[1], b[0], b[1]].filter((part) => part !== undefined);
    const { windows, totals } = merged(2, 0, 2000, late);
    expect(windows.map(({ index, transactions }) => [index, transactions])).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(totals).toMatchObject({ transactions: 5, reads: 70, writes: 20, other: 10, durationMs: 2000 });
    expect(totals.latency?.count).toBe(5);
    expect(merged(2, 0, 2000, late.slice(0, 3)).windows.length).toBe(1);
  });

  it('sum to the totals without the warm-up', () => {
    const { windows, totals } = merged(1, 1000, 1000, recorded(1000, 1000, [500, 1500, 1600]));
    expect(windows.length).toBe(2);
    expect(totals.transactions).toBe(2);
  });

  it('spreads connections with their remainder', () => {
    expect(spread(10, 3)).toEqual([4, 3, 3]);
    expect(spread(1, 1)).toEqual([1]);
    expect(spread(512, 7).reduce((sum, share) => sum + share, 0)).toBe(512);
  });
});

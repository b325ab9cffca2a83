import { describe, expect, it } from 'vitest';
import {
  type CountedSpan,
  type Part,
  PartRecorder,
  WindowMerger,
} from '../../../../../src/benchmark/load/builtin/windows.ts';
import { clearCounts, type Counts, emptyCounts } from '../../../../../src/benchmark/load/builtin/counts.ts';
import {
  createHistogram,
  encodeHistogram,
  recordLatency,
} from '../../../../../src/shared/histogram/histogram.ts';
import type { Window } from '../../../../../src/shared/model/measurements.ts';

const counts = (more: Partial<Counts> = {}): Counts => ({
  ...emptyCounts(),
  ...{ transactions: 1, reads: 14, writes: 4, other: 2 },
  ...more,
});

describe('PartRecorder', () => {
  const record = (warmupMs: number, durationMs: number) => {
    const parts: Part[] = [];
    const span: CountedSpan = { fromMs: warmupMs, untilMs: undefined };
    const spans = [span, span];
    const recorder = new PartRecorder({ warmupMs, durationMs }, 2, (part) => parts.push(part), {
      spans: () => spans,
    });
    return { parts, spans, recorder };
  };

  it('counts a transaction in the window in which it completes', () => {
    const { parts, recorder } = record(1500, 2000);
    for (const atMs of [10, 999.9, 1000, 1499, 1500, 2499, 2500, 3499.9]) {
      recorder.record(atMs, 500, counts());
    }
    expect(parts).toHaveLength(3);
    // The last window has transactions that complete after the end.
    recorder.record(3800, 500, counts());
    recorder.finish(3900);
    expect(parts.map(({ phase, index, transactions }) => [phase, index, transactions])).toEqual([
      ['warmup', 0, 2],
      ['warmup', 1, 2],
      ['measure', 0, 2],
      ['measure', 1, 3],
    ]);
  });

  it('keeps no counts of its caller, which clears and uses them again', () => {
    const { parts, recorder } = record(0, 2000);
    const used = emptyCounts();
    for (const [atMs, error, type] of [
      [10, 1213, 'payment'],
      [20, 1205, 'delivery'],
      [1500, 1213, 'payment'],
    ] as const) {
      Object.assign(used, { transactions: 1, reads: 14, writes: 4, other: 2, rollbacks: 1 });
      used.errors[error] = 3;
      used.mix[type] = 1;
      recorder.record(atMs, 500, used);
      clearCounts(used);
      expect(used).toEqual(emptyCounts());
    }
    recorder.finish(2000);
    const [first, second] = [{ 1205: 3, 1213: 3 }, { 1213: 3 }];
    expect(parts).toMatchObject([
      { ...counts({ transactions: 2, reads: 28, rollbacks: 2 }), writes: 8, other: 4, errors: first },
      { ...counts({ rollbacks: 1 }), errors: second, mix: { payment: 1 } },
    ]);
    expect(parts.map(({ errors, mix }) => [errors, mix])).toEqual([
      [first, { payment: 1, delivery: 1 }],
      [second, { payment: 1 }],
    ]);
  });

  it('says for how long each window counted, from first to last end of each connection', () => {
    const { parts, spans, recorder } = record(500, 2000);
    spans[0] = { fromMs: 510, untilMs: undefined };
    spans[1] = { fromMs: undefined, untilMs: undefined };
    recorder.advance(1500);
    spans[1] = { fromMs: 1700, untilMs: undefined };
    recorder.advance(2500);
    spans[0] = { fromMs: 510, untilMs: 2505 };
    spans[1] = { fromMs: 1700, untilMs: 2900 };
    recorder.finish(3000);
    expect(parts.map(({ phase, countedMs }) => [phase, countedMs])).toEqual([
      ['warmup', 1000],
      ['measure', 990],
      ['measure', 1005 + 1200],
    ]);
  });

  it('marks every window that a pause reaches into', () => {
    const { parts, recorder } = record(1000, 6000);
    for (const atMs of [500, 1000, 1500, 2000, 2200]) recorder.advance(atMs);
    // For three seconds neither a transaction nor a window ends.
    recorder.record(5200, 500, counts());
    recorder.advance(6000);
    recorder.finish(7000);
    expect(parts.map(({ phase, index, interrupted }) => [phase, index, interrupted])).toEqual([
      ['warmup', 0, false],
      ['measure', 0, false],
      ['measure', 1, true],
      ['measure', 2, true],
      ['measure', 3, true],
      ['measure', 4, true],
      ['measure', 5, false],
    ]);
  });

  it('takes a quiet second for no pause', () => {
    const { parts, recorder } = record(0, 3000);
    for (const atMs of [1000, 2400]) recorder.advance(atMs);
    recorder.finish(3000);
    expect(parts.every(({ interrupted }) => !interrupted)).toBe(true);
  });
});

describe('WindowMerger', () => {
  const part = (
    phase: Window['phase'],
    index: number,
    latenciesUs: number[],
    errors = {},
    countedMs = 1000,
  ): Part => {
    const histogram = createHistogram();
    for (const us of latenciesUs) recordLatency(histogram, us);
    const n = latenciesUs.length;
    return {
      phase,
      index,
      countedMs,
      ...counts({ transactions: n, reads: 14 * n, writes: 4 * n, other: 2 * n, errors }),
      histogram: encodeHistogram(histogram),
      interrupted: false,
    };
  };
  const merge = (workers: number, warmupMs: number, durationMs: number) => {
    const windows: Window[] = [];
    const merger = new WindowMerger({ workers, connections: workers }, { warmupMs, durationMs }, (window) =>
      windows.push(window),
    );
    return { windows, merger };
  };

  it('gives out each window once, in order, when all workers have delivered it', () => {
    const { windows, merger } = merge(2, 1000, 2000);
    const order = (): string[] => windows.map(({ phase, index }) => `${phase} ${index}`);
    // The first worker is done before the second one has delivered anything.
    merger.add(part('warmup', 0, [1]));
    for (const index of [0, 1]) merger.add(part('measure', index, [2]));
    expect(order()).toEqual([]);
    merger.add(part('warmup', 0, [4]));
    expect(order()).toEqual(['warmup 0']);
    for (const index of [0, 1]) merger.add(part('measure', index, []));
    expect(order()).toEqual(['warmup 0', 'measure 0', 'measure 1']);
  });

  it('leaves interrupted windows out of the totals, and says how long they were', () => {
    const { windows, merger } = merge(2, 0, 2500);
    for (const index of [0, 1, 2]) {
      const countedMs = index === 2 ? 500 : 1000;
      merger.add(part('measure', index, [100], {}, countedMs));
      merger.add({ ...part('measure', index, [200], {}, countedMs), interrupted: index === 1 });
    }
    expect(windows.map(({ interrupted, transactions }) => [interrupted, transactions])).toEqual([
      [false, 2],
      [true, 2],
      [false, 2],
    ]);
    expect(merger.totals()).toMatchObject({ durationMs: 1500, excludedMs: 1000, transactions: 4 });
    expect(merger.totals().latency?.count).toBe(4);
  });

  it('has totals that are exactly the sum of the measured windows', () => {
    const { windows, merger } = merge(2, 1000, 2500);
    const histogram = createHistogram();
    for (const index of [0, 1, 2]) {
      for (const worker of [1, 2]) {
        if (index === 0) merger.add(part('warmup', 0, [9_000_000]));
        const countedMs = index === 2 ? 490 + 20 * worker : 1000;
        const latencies = [index * 100 + worker, 5000];
        merger.add(part('measure', index, latencies, { 1020: worker }, countedMs));
        for (const us of latencies) recordLatency(histogram, us);
      }
    }
    const measured = windows.filter(({ phase }) => phase === 'measure');
    expect(measured.map(({ durationMs }) => durationMs)).toEqual([1000, 1000, 520]);
    const totals = merger.totals();
    const sum = (pick: (window: Window) => number): number =>
      measured.reduce((total, window) => total + pick(window), 0);
    expect(totals.transactions).toBe(sum((window) => window.transactions));
    expect(totals.reads).toBe(sum((window) => window.reads));
    expect(totals.errors).toEqual({ 1020: 9 });
    expect(totals.durationMs).toBe(sum((window) => window.durationMs));
    expect(totals.histogram).toBe(encodeHistogram(histogram));
    // The totals leave out the warm-up.
    expect(totals.latency?.maxUs).toBeLessThan(10_000);
  });
});

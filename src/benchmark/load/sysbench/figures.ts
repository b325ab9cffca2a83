import { addEach } from '../builtin/counts.ts';
import { PAUSE_MS } from '../load-client.ts';
import type { SysbenchRun } from './arguments.ts';
import type { Buckets, Figures, SysbenchRecord, Total } from './script.ts';
import {
  createHistogram,
  encodeHistogram,
  type Histogram,
  summarizeHistogram,
} from '../../../shared/histogram/histogram.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';

export interface RunFigures {
  totals: Omit<Totals, 'connections' | 'client'>;
  cpuSeconds: number;
}

/**
 * Windows are sysbench's intervals; at their edges `latency.count` may differ from `transactions`. An
 * interval with a pause and the next don't count.
 */
export class RunReader {
  readonly #run: SysbenchRun;
  readonly #on: { connected: () => void; window: (window: Window) => void };
  readonly #connections: number;
  #connected = 0;
  #cpuAtStart = 0;
  readonly #intervals: Interval[] = [];
  /** Latencies since the run's start. */
  #buckets: Buckets = [];
  #newestBuckets: Buckets = [];
  #errors: Record<string, number> = {};
  #total: Total | undefined;

  constructor(
    run: SysbenchRun,
    connections: number,
    on: { connected: () => void; window: (window: Window) => void },
  ) {
    this.#run = run;
    this.#connections = connections;
    this.#on = on;
  }

  add(record: SysbenchRecord): void {
    switch (record.type) {
      case 'connected':
        this.#cpuAtStart = Math.max(this.#cpuAtStart, record.cpu);
        if (++this.#connected === this.#connections) this.#on.connected();
        return;
      case 'retried':
        this.#errors[record.code] = (this.#errors[record.code] ?? 0) + 1;
        return;
      case 'interval':
        this.#know(record.buckets);
        if (this.#intervals.length < this.#run.seconds - 1) this.#give(record, record.buckets);
        return;
      case 'latencies':
        this.#know(record.buckets);
        return;
      case 'total':
        this.#total = record;
        this.#give(less(record, this.#intervals), this.#newestBuckets);
    }
  }

  /** An older interval may be printed after the last transaction. */
  #know(buckets: Buckets): void {
    if (countIn(buckets) >= countIn(this.#newestBuckets)) this.#newestBuckets = buckets;
  }

  figures(): RunFigures | undefined {
    const total = this.#total;
    if (total === undefined) return undefined;
    const excluded = this.#intervals.filter(({ interrupted }) => interrupted);
    const counting = this.#intervals.filter(({ interrupted }) => !interrupted);
    const isWhole = excluded.length === 0;
    const exact = { minUs: Math.round(total.minUs), maxUs: Math.round(total.maxUs) };
    const buckets = counting.flatMap((interval) => interval.buckets);
    const histogram = toHistogram(buckets, isWhole ? exact : undefined);
    const latency = summarizeHistogram(histogram);
    const counted = less(total, excluded);
    const errors: Record<string, number> = {};
    for (const interval of counting) addEach(errors, interval.errors);
    return {
      totals: {
        durationMs: milliseconds(counted.seconds),
        excludedMs: milliseconds(secondsOf(excluded)),
        uncounted: 0,
        ...countsOf(counted),
        errors,
        latency: latency && isWhole ? { ...latency, ...exact, meanUs: total.meanUs } : latency,
        histogram: encodeHistogram(histogram),
        statements: {},
        transactionTypes: {},
      },
      cpuSeconds: total.cpu - this.#cpuAtStart,
    };
  }

  #give(figures: Figures, all: Buckets): void {
    const heldPause = this.#total === undefined && 1000 * figures.seconds > PAUSE_MS;
    const interrupted = heldPause || this.#intervals.at(-1)?.heldPause === true;
    const index = this.#intervals.length;
    const startMs = milliseconds(secondsOf(this.#intervals));
    const [buckets, errors] = [bucketsSince(all, this.#buckets), this.#errors];
    this.#intervals.push({ ...figures, buckets, errors, heldPause, interrupted });
    this.#buckets = all;
    this.#errors = {};
    this.#on.window({
      phase: this.#run.phase,
      index,
      startMs,
      durationMs: milliseconds(figures.seconds),
      ...countsOf(figures),
      errors,
      latency: summarizeHistogram(toHistogram(buckets)),
      interrupted,
    });
  }
}

interface Interval extends Figures {
  buckets: Buckets;
  errors: Record<string, number>;
  heldPause: boolean;
  interrupted: boolean;
}

function countIn(buckets: Buckets): number {
  return buckets.reduce((sum, [, count]) => sum + count, 0);
}

function secondsOf(intervals: readonly Figures[]): number {
  return intervals.reduce((sum, { seconds }) => sum + seconds, 0);
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1000;
}

function countsOf({ transactions, reads, writes, other }: Figures) {
  return { transactions, reads, writes, other, rollbacks: 0, mix: {} };
}

function less(all: Figures, parts: readonly Figures[]): Figures {
  const left = { ...all };
  for (const part of parts) {
    for (const name of ['seconds', 'transactions', 'reads', 'writes', 'other'] as const)
      left[name] -= part[name];
  }
  return left;
}

/** Source: sysbench 1.0.20. A bucket's middle is at most 0.91% off. */
const LOWEST_US = 1;
const HIGHEST_US = 100_000_000;
const STEPS = 1023;

function bucketUs(index: number): number {
  return LOWEST_US * (HIGHEST_US / LOWEST_US) ** (index / STEPS);
}

function bucketsSince(later: Buckets, earlier: Buckets): Buckets {
  const before = new Map(earlier);
  return later.flatMap(([index, count]): Buckets => {
    const added = count - (before.get(index) ?? 0);
    return added > 0 ? [[index, added]] : [];
  });
}

function toHistogram(
  buckets: Buckets,
  exact: { minUs: number; maxUs: number } = { minUs: 0, maxUs: Infinity },
): Histogram {
  const histogram = createHistogram();
  for (const [index, count] of buckets) {
    const us = Math.min(exact.maxUs, Math.max(exact.minUs, bucketUs(index)));
    histogram.recordValueWithCount(Math.max(LOWEST_US, Math.round(us)), count);
  }
  return histogram;
}

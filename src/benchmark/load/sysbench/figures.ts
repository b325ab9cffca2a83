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
 * Windows are sysbench's intervals with their real lengths, so they sum to the totals. `latency.count` may
 * differ from `transactions` at a window's edges. An interval much longer than a second contains a pause: it and
 * the next do not count.
 */
export class RunReader {
  readonly #run: SysbenchRun;
  readonly #on: { connected: () => void; window: (window: Window) => void };
  readonly #connections: number;
  #connected = 0;
  #cpuAtStart = 0;
  #index = 0;
  #sum: Figures = NOTHING;
  #buckets: Buckets = [];
  #newestBuckets: Buckets = [];
  #errors: Record<string, number> = {};
  readonly #allErrors: Record<string, number> = {};
  #excluded: Figures = NOTHING;
  #excludedBuckets: Buckets = [];
  #afterPause = false;
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
        if (this.#index < this.#run.seconds - 1) {
          this.#give(record, record.buckets);
        }
        return;
      case 'latencies':
        this.#know(record.buckets);
        return;
      case 'total':
        this.#total = record;
        this.#give(minus(record, this.#sum), this.#newestBuckets);
    }
  }

  /** An interval that was begun before the last transaction may be printed after it. */
  #know(buckets: Buckets): void {
    if (countIn(buckets) >= countIn(this.#newestBuckets)) this.#newestBuckets = buckets;
  }

  figures(): RunFigures | undefined {
    const total = this.#total;
    if (total === undefined) return undefined;
    const counted = minus(total, this.#excluded);
    const isWhole = this.#excluded.seconds === 0;
    const exact = { minUs: Math.round(total.minUs), maxUs: Math.round(total.maxUs) };
    const buckets = bucketsSince(this.#newestBuckets, this.#excludedBuckets);
    const histogram = isWhole ? toHistogram(buckets, exact) : toHistogram(buckets);
    const latency = summarizeHistogram(histogram);
    return {
      totals: {
        durationMs: milliseconds(counted.seconds),
        excludedMs: milliseconds(this.#excluded.seconds),
        uncounted: 0,
        ...countsOf(counted),
        errors: this.#allErrors,
        latency: latency && isWhole ? { ...latency, ...exact, meanUs: total.meanUs } : latency,
        histogram: encodeHistogram(histogram),
        statements: {},
        transactionTypes: {},
      },
      cpuSeconds: total.cpu - this.#cpuAtStart,
    };
  }

  #give(figures: Figures, buckets: Buckets): void {
    const heldPause = this.#total === undefined && 1000 * figures.seconds > PAUSE_MS;
    const interrupted = heldPause || this.#afterPause;
    this.#afterPause = heldPause;
    const added = bucketsSince(buckets, this.#buckets);
    const startMs = milliseconds(this.#sum.seconds);
    this.#sum = plus(this.#sum, figures);
    const window = {
      phase: this.#run.phase,
      index: this.#index++,
      startMs,
      durationMs: milliseconds(figures.seconds),
      ...countsOf(figures),
      errors: this.#errors,
      latency: summarizeHistogram(toHistogram(added)),
      interrupted,
    };
    if (interrupted) {
      this.#excluded = plus(this.#excluded, figures);
      this.#excludedBuckets = bucketsTogether(this.#excludedBuckets, added);
    } else {
      for (const [code, count] of Object.entries(this.#errors)) {
        this.#allErrors[code] = (this.#allErrors[code] ?? 0) + count;
      }
    }
    this.#buckets = buckets;
    this.#errors = {};
    this.#on.window(window);
  }
}

function countIn(buckets: Buckets): number {
  return buckets.reduce((sum, [, count]) => sum + count, 0);
}

const NOTHING: Figures = { seconds: 0, transactions: 0, reads: 0, writes: 0, other: 0 };

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1000;
}

function countsOf({ transactions, reads, writes, other }: Figures) {
  return { transactions, reads, writes, other, rollbacks: 0, mix: {} };
}

function plus(a: Figures, b: Figures): Figures {
  return combine(a, b, (x, y) => x + y);
}

function minus(a: Figures, b: Figures): Figures {
  return combine(a, b, (x, y) => x - y);
}

function combine(a: Figures, b: Figures, of: (x: number, y: number) => number): Figures {
  return {
    seconds: of(a.seconds, b.seconds),
    transactions: of(a.transactions, b.transactions),
    reads: of(a.reads, b.reads),
    writes: of(a.writes, b.writes),
    other: of(a.other, b.other),
  };
}

/** 1024 logarithmic buckets from 0.001 ms to 100,000 ms (sysbench 1.0.20). A middle is at most 0.91% off. */
const LOWEST_US = 1;
const HIGHEST_US = 100_000_000;
const STEPS = 1023;

export function bucketUs(index: number): number {
  return LOWEST_US * (HIGHEST_US / LOWEST_US) ** (index / STEPS);
}

export function bucketsSince(later: Buckets, earlier: Buckets): Buckets {
  const before = new Map(earlier);
  return later.flatMap(([index, count]): Buckets => {
    const added = count - (before.get(index) ?? 0);
    return added > 0 ? [[index, added]] : [];
  });
}

function bucketsTogether(one: Buckets, other: Buckets): Buckets {
  const sum = new Map(one);
  for (const [index, count] of other) sum.set(index, (sum.get(index) ?? 0) + count);
  return [...sum];
}

export function toHistogram(
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

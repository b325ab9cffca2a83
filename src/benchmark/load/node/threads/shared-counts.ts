import type { Histogram } from '../../../../shared/histogram/histogram.ts';
import { STATEMENT_KINDS, type StatementKind } from '../../../../shared/model/statement-kinds.ts';
import { RETRIED_ERRORS } from '../server-errors.ts';
import type { StatementRecorder, StatementTimes } from '../statement-times.ts';
import type { Counts, WindowSchedule } from '../counts.ts';

/**
 * What the threads of a process count, in memory that they share. A thread chooses the window by its own clock; the
 * window is read when it is over and no thread is writing any more.
 */

const COUNTERS = ['transactions', 'reads', 'writes', 'other'] as const;
const FIRST_ERROR = COUNTERS.length;
const FIRST_HISTOGRAM = FIRST_ERROR + RETRIED_ERRORS.length;

/** Values up to 2³² − 1 in an HDR histogram's buckets of 3 significant digits. */
const EXACT = 2048;
const HALF = EXACT / 2;
const BUCKETS = 22 * HALF + HALF;

export function bucketOf(us: number): number {
  const value = us >>> 0;
  if (value < EXACT) return value;
  const shift = 21 - Math.clz32(value);
  return shift * HALF + (value >>> shift);
}

export function valueOf(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor(bucket / HALF) - 1;
  return (bucket - shift * HALF) * 2 ** shift;
}

const HISTOGRAMS = 1 + STATEMENT_KINDS.length;
const WINDOW = FIRST_HISTOGRAM + HISTOGRAMS * BUCKETS;
/** Windows that are kept apart: a reader may be late, but a longer pause interrupts all windows that it touches. */
const WINDOWS = 4;
const STOP = 0;
/** Words between the marks of two threads: each has a cache line. */
const LINE = 16;
const HEAD = LINE;

/** Before a thread that is writing is looked at again, ms. */
const WRITING_MS = 0.1;
const MOST_LOOKS = 1000;

export class SharedCounts {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #threads: number;

  constructor(threads: number) {
    this.#threads = threads;
    this.memory = new SharedArrayBuffer(4 * (HEAD + WINDOWS * WINDOW + LINE * threads));
    this.#words = new Int32Array(this.memory);
  }

  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  /** Takes a window that is over. */
  collect(position: number, counts: Counts, latencies: Histogram, times: StatementTimes): void {
    for (let thread = 0; thread < this.#threads; thread++) this.#awaitWritten(thread);
    const first = HEAD + (position % WINDOWS) * WINDOW;
    for (const [index, name] of COUNTERS.entries()) counts[name] += this.#take(first + index);
    for (const [index, number] of RETRIED_ERRORS.entries()) {
      const count = this.#take(first + FIRST_ERROR + index);
      if (count > 0) counts.errors[number] = (counts.errors[number] ?? 0) + count;
    }
    const histogram = first + FIRST_HISTOGRAM;
    this.#takeHistogram(histogram, (us, count) => latencies.recordValueWithCount(us, count));
    for (const [index, kind] of STATEMENT_KINDS.entries()) {
      this.#takeHistogram(histogram + (1 + index) * BUCKETS, (us, count) => times.record(kind, us, count));
    }
  }

  #awaitWritten(thread: number): void {
    const mark = HEAD + WINDOWS * WINDOW + thread * LINE;
    for (let looks = 0; Atomics.load(this.#words, mark) !== 0 && looks < MOST_LOOKS; looks++) {
      Atomics.wait(this.#words, mark, 1, WRITING_MS);
    }
  }

  #take(at: number): number {
    const count = this.#words[at] as number;
    this.#words[at] = 0;
    return count;
  }

  #takeHistogram(first: number, record: (us: number, count: number) => void): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#words[first + bucket] as number;
      if (count === 0) continue;
      this.#words[first + bucket] = 0;
      record(Math.max(1, valueOf(bucket)), count);
    }
  }
}

const KIND_OFFSETS = Object.fromEntries(STATEMENT_KINDS.map((kind, index) => [kind, (1 + index) * BUCKETS]));

/** A thread's side. */
export class ThreadCounts implements StatementRecorder {
  readonly #words: Int32Array;
  readonly #mark: number;
  readonly #schedule: WindowSchedule;
  #position = 0;
  #windowEndMs: number;
  /** Statements of the running transaction, as offsets of their buckets. */
  readonly #statements: number[] = [];
  #statementCount = 0;

  constructor(memory: SharedArrayBuffer, thread: number, schedule: WindowSchedule) {
    this.#words = new Int32Array(memory);
    this.#mark = HEAD + WINDOWS * WINDOW + thread * LINE;
    this.#schedule = schedule;
    this.#windowEndMs = schedule.endMs(0);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#words, STOP) !== 0;
  }

  record(kind: StatementKind, us: number): void {
    this.#statements[this.#statementCount++] = (KIND_OFFSETS[kind] ?? 0) + bucketOf(Math.round(us));
  }

  /** Counts a transaction unless all windows are over; returns its end. */
  finish(beganMs: number, counts: Counts, elapsed: () => number): number {
    const words = this.#words;
    // In this order: who sees no mark at a window's end knows that later ends belong to later windows.
    Atomics.store(words, this.#mark, 1);
    const now = elapsed();
    if (now < this.#schedule.lastMs) {
      while (now >= this.#windowEndMs) this.#windowEndMs = this.#schedule.endMs(++this.#position);
      const first = HEAD + (this.#position % WINDOWS) * WINDOW;
      Atomics.add(words, first, counts.transactions);
      Atomics.add(words, first + 1, counts.reads);
      if (counts.writes > 0) Atomics.add(words, first + 2, counts.writes);
      if (counts.other > 0) Atomics.add(words, first + 3, counts.other);
      for (const number in counts.errors) {
        const index = RETRIED_ERRORS.indexOf(Number(number));
        if (index >= 0) Atomics.add(words, first + FIRST_ERROR + index, counts.errors[number] ?? 0);
      }
      const histograms = first + FIRST_HISTOGRAM;
      Atomics.add(words, histograms + bucketOf(Math.round((now - beganMs) * 1000)), 1);
      for (let i = 0; i < this.#statementCount; i++) {
        Atomics.add(words, histograms + (this.#statements[i] as number), 1);
      }
    }
    this.#statementCount = 0;
    Atomics.store(words, this.#mark, 0);
    return now;
  }
}

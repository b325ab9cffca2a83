import type { Histogram } from '../../../../shared/histogram/histogram.ts';
import { STATEMENT_KINDS } from '../../../../shared/model/statement-kinds.ts';
import type { Counts } from '../counts.ts';
import { RETRIED_ERRORS } from '../server-errors.ts';
import type { StatementTimes } from '../statement-times.ts';
import type { CountedSpan } from '../windows.ts';

/** A thread chooses the window by its own clock. */

const WORD = 4;
/** A cache line for each mark. */
const LINE = 64;
const PAGE = 64 * 1024;

const COUNTERS = ['transactions', 'reads', 'writes', 'other'] as const;
const FIRST_ERROR = COUNTERS.length;
const FIRST_HISTOGRAM = FIRST_ERROR + RETRIED_ERRORS.length;

/** HDR buckets: 3 significant digits, up to 2³² − 1. */
const EXACT = 2048;
const HALF = EXACT / 2;
const BUCKETS = 22 * HALF + HALF;

/** The lowest value of a bucket, µs. */
export function valueOf(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const shift = Math.floor(bucket / HALF) - 1;
  return (bucket - shift * HALF) * 2 ** shift;
}

const HISTOGRAMS = 1 + STATEMENT_KINDS.length;
const WINDOW = FIRST_HISTOGRAM + HISTOGRAMS * BUCKETS;
/** A reader may be this many windows late. */
const WINDOWS = 4;
const ROOMS = LINE + WINDOWS * WINDOW * WORD;

/** Timed statements of one transaction with its retries. */
const MOST_TIMES = 1024;

const BATCH = LINE + 32 * 1024;

const ROOM = parts({
  mark: LINE,
  system: LINE,
  errors: RETRIED_ERRORS.length * WORD,
  times: MOST_TIMES * WORD,
  input: 64 * 1024,
  rollback: LINE,
  firstBatch: BATCH,
  secondBatch: BATCH,
});

export interface Layout {
  stop: number;
  windows: number;
  windowCount: number;
  windowBytes: number;
  histograms: number;
  histogramBytes: number;
  errorCount: number;
  mark: number;
  /** Three doubles: counting's begin and end in ns (0: not yet), and uncounted transactions. */
  edges: number;
  system: number;
  errors: number;
  times: number;
  timesBytes: number;
  input: number;
  inputBytes: number;
  rollback: number;
  batches: [BatchLayout, BatchLayout];
}

interface BatchLayout {
  /** A word: the packets' end, or 0 while empty. */
  filled: number;
  at: number;
  bytes: number;
}

const WRITING_MS = 0.1;
const MOST_LOOKS = 1000;

export class SharedCounts {
  readonly memory: WebAssembly.Memory;
  readonly #words: Int32Array;
  readonly #threads: number;

  constructor(threads: number) {
    this.#threads = threads;
    const pages = Math.ceil((ROOMS + threads * ROOM.bytes) / PAGE);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    this.#words = new Int32Array(this.memory.buffer);
  }

  layout(thread: number): Layout {
    const room = ROOMS + thread * ROOM.bytes;
    const { mark, system, errors, times, input, rollback, firstBatch, secondBatch } = ROOM.at;
    const batch = (at: number): BatchLayout => ({
      filled: room + at,
      at: room + at + LINE,
      bytes: BATCH - LINE,
    });
    return {
      stop: 0,
      windows: LINE,
      windowCount: WINDOWS,
      windowBytes: WINDOW * WORD,
      histograms: FIRST_HISTOGRAM * WORD,
      histogramBytes: BUCKETS * WORD,
      errorCount: RETRIED_ERRORS.length,
      mark: room + mark,
      edges: room + mark + 8,
      system: room + system,
      errors: room + errors,
      times: room + times,
      timesBytes: MOST_TIMES * WORD,
      input: room + input,
      inputBytes: rollback - input,
      rollback: room + rollback,
      batches: [batch(firstBatch), batch(secondBatch)],
    };
  }

  begin(): void {
    for (let thread = 0; thread < this.#threads; thread++) this.#edges(thread).fill(0);
    Atomics.store(this.#words, 0, 0);
  }

  stop(): void {
    Atomics.store(this.#words, 0, 1);
  }

  spans(startMs: number): CountedSpan[] {
    const since = (ns: number): number | undefined => (ns === 0 ? undefined : ns / 1e6 - startMs);
    return Array.from({ length: this.#threads }, (_, thread) => {
      const [from = 0, until = 0] = this.#edges(thread);
      return { fromMs: since(from), untilMs: since(until) };
    });
  }

  get uncounted(): number {
    return Array.from({ length: this.#threads }, (_, thread) => this.#edges(thread)[2] ?? 0).reduce(
      (sum, one) => sum + one,
      0,
    );
  }

  #edges(thread: number): Float64Array {
    return new Float64Array(this.memory.buffer, this.layout(thread).edges, 3);
  }

  collect(position: number, counts: Counts, latencies: Histogram, times: StatementTimes): void {
    for (let thread = 0; thread < this.#threads; thread++) this.#awaitWritten(thread);
    const first = LINE / WORD + (position % WINDOWS) * WINDOW;
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
    const mark = this.layout(thread).mark / WORD;
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

function parts<T extends Record<string, number>>(lengths: T): { at: T; bytes: number } {
  let bytes = 0;
  const at = Object.entries(lengths).map(([name, length]) => {
    const begin = bytes;
    bytes = LINE * Math.ceil((begin + length) / LINE);
    return [name, begin];
  });
  return { at: Object.fromEntries(at) as T, bytes };
}

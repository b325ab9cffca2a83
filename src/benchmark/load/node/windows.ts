import { PAUSE_MS } from '../load-client.ts';
import {
  createHistogram,
  encodeHistogram,
  type Histogram,
  mergeHistograms,
  recordLatency,
  summarizeHistogram,
} from '../../../shared/histogram/histogram.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';

export interface Counts {
  transactions: number;
  reads: number;
  writes: number;
  other: number;
  errors: Record<string, number>;
  rollbacks: number;
  mix: Record<string, number>;
}

export function emptyCounts(): Counts {
  return { transactions: 0, reads: 0, writes: 0, other: 0, errors: {}, rollbacks: 0, mix: {} };
}

export function clearCounts(counts: Counts): void {
  counts.transactions = counts.reads = counts.writes = counts.other = counts.rollbacks = 0;
  counts.errors = {};
  counts.mix = {};
}

function addCounts(into: Counts, more: Counts): void {
  into.transactions += more.transactions;
  into.reads += more.reads;
  into.writes += more.writes;
  into.other += more.other;
  into.rollbacks += more.rollbacks;
  addEach(into.errors, more.errors);
  addEach(into.mix, more.mix);
}

function addEach(into: Record<string, number>, more: Record<string, number>): void {
  for (const key in more) into[key] = (into[key] ?? 0) + (more[key] ?? 0);
}

export interface Part extends Counts {
  phase: Window['phase'];
  index: number;
  histogram: string;
  interrupted: boolean;
  /** Transactions due but not begun at its end; null without a fixed rate. */
  waiting: number | null;
}

interface RecorderOptions {
  waiting?: () => number;
  /** Called when the worker did not run, ms. */
  paused?: (fromMs: number, untilMs: number) => void;
}

const WINDOW_MS = 1000;

export function windowLength(phaseMs: number, index: number): number {
  return Math.max(0, Math.min(WINDOW_MS, phaseMs - index * WINDOW_MS));
}

export function windowCount(phaseMs: number): number {
  return Math.ceil(phaseMs / WINDOW_MS);
}

export class PartRecorder {
  readonly #warmupMs: number;
  readonly #durationMs: number;
  readonly #emit: (part: Part) => void;
  readonly #options: RecorderOptions;
  #current = 0;
  #seenMs = 0;
  readonly #interrupted = new Set<number>();
  #counts = emptyCounts();
  #histogram: Histogram = createHistogram();

  constructor(
    warmupMs: number,
    durationMs: number,
    emit: (part: Part) => void,
    options: RecorderOptions = {},
  ) {
    this.#warmupMs = warmupMs;
    this.#durationMs = durationMs;
    this.#emit = emit;
    this.#options = options;
  }

  /** `atMs` counts from the start of the warm-up; late ones do not count. */
  record(atMs: number, latencyUs: number, counts: Counts): void {
    if (atMs >= this.#warmupMs + this.#durationMs) return;
    this.advance(atMs);
    addCounts(this.#counts, counts);
    recordLatency(this.#histogram, latencyUs);
  }

  advance(atMs: number): void {
    if (atMs - this.#seenMs > PAUSE_MS) this.interrupt(this.#seenMs, atMs);
    this.#seenMs = atMs;
    while (this.#current < this.#total && atMs >= this.#end(this.#current)) this.#flush();
  }

  /** Marks the pending windows that a pause overlaps. */
  interrupt(fromMs: number, untilMs: number): void {
    for (let position = this.#current; position < this.#total; position++) {
      const begin = position === 0 ? 0 : this.#end(position - 1);
      if (begin < untilMs && this.#end(position) > fromMs) this.#interrupted.add(position);
    }
    this.#options.paused?.(fromMs, untilMs);
  }

  get windowEndMs(): number | undefined {
    return this.#current < this.#total ? this.#end(this.#current) : undefined;
  }

  get #warmupWindows(): number {
    return windowCount(this.#warmupMs);
  }

  get #total(): number {
    return this.#warmupWindows + windowCount(this.#durationMs);
  }

  #end(position: number): number {
    return position < this.#warmupWindows
      ? Math.min(this.#warmupMs, (position + 1) * WINDOW_MS)
      : this.#warmupMs + Math.min(this.#durationMs, (position + 1 - this.#warmupWindows) * WINDOW_MS);
  }

  #flush(): void {
    const warmup = this.#current < this.#warmupWindows;
    this.#emit({
      phase: warmup ? 'warmup' : 'measure',
      index: warmup ? this.#current : this.#current - this.#warmupWindows,
      ...this.#counts,
      histogram: encodeHistogram(this.#histogram),
      interrupted: this.#interrupted.has(this.#current),
      waiting: this.#options.waiting?.() ?? null,
    });
    this.#current += 1;
    this.#counts = emptyCounts();
    this.#histogram.reset();
  }
}

/** Merges the workers' parts; emits each window once, in order, when all parts are there. */
export class WindowMerger {
  readonly workers: number;
  readonly #phases: Record<Window['phase'], number>;
  readonly #emit: (window: Window) => void;
  readonly #parts = new Map<string, Part[]>();
  #next: { phase: Window['phase']; index: number };
  readonly #measured = emptyCounts();
  #excludedMs = 0;
  #mostWaiting: number | null = null;
  readonly #histogram = createHistogram();

  constructor(workers: number, warmupMs: number, durationMs: number, emit: (window: Window) => void) {
    this.workers = workers;
    this.#phases = { warmup: warmupMs, measure: durationMs };
    this.#emit = emit;
    this.#next = { phase: warmupMs > 0 ? 'warmup' : 'measure', index: 0 };
  }

  add(part: Part): void {
    const key = `${part.phase}.${part.index}`;
    this.#parts.set(key, [...(this.#parts.get(key) ?? []), part]);
    for (;;) {
      const { phase, index } = this.#next;
      const parts = this.#parts.get(`${phase}.${index}`);
      if (parts === undefined || parts.length < this.workers) return;
      this.#parts.delete(`${phase}.${index}`);
      this.#give(phase, index, parts);
      this.#next =
        phase === 'warmup' && index + 1 >= windowCount(this.#phases.warmup)
          ? { phase: 'measure', index: 0 }
          : { phase, index: index + 1 };
    }
  }

  #give(phase: Window['phase'], index: number, parts: Part[]): void {
    const counts = emptyCounts();
    for (const part of parts) addCounts(counts, part);
    const merged = mergeHistograms(parts.map(({ histogram }) => histogram));
    const histogram = encodeHistogram(merged);
    const interrupted = parts.some((part) => part.interrupted);
    const durationMs = windowLength(this.#phases[phase], index);
    const waiting = waitingOf(parts);
    if (phase === 'measure' && waiting !== null) {
      this.#mostWaiting = Math.max(this.#mostWaiting ?? 0, waiting);
    }
    if (phase === 'measure' && interrupted) this.#excludedMs += durationMs;
    else if (phase === 'measure') {
      addCounts(this.#measured, counts);
      this.#histogram.add(merged);
    }
    this.#emit({
      phase,
      index,
      startMs: index * WINDOW_MS,
      durationMs,
      ...counts,
      latency: summarizeHistogram(merged),
      histogram,
      interrupted,
      waiting,
    });
  }

  /** Most waiting at the end of a measured window; null without a fixed rate. */
  get mostWaiting(): number | null {
    return this.#mostWaiting;
  }

  totals(): Omit<Totals, 'connections' | 'client' | 'statements' | 'transactionTypes' | 'fixedRate'> {
    return {
      durationMs: this.#phases.measure - this.#excludedMs,
      excludedMs: this.#excludedMs,
      ...this.#measured,
      latency: summarizeHistogram(this.#histogram),
      histogram: encodeHistogram(this.#histogram),
    };
  }
}

function waitingOf(parts: readonly Part[]): number | null {
  return parts.reduce<number | null>(
    (sum, { waiting }) => (waiting === null ? sum : (sum ?? 0) + waiting),
    null,
  );
}

/** By result: a result set is a read, changed rows are a write, anything else is other. */
export function countAnswer(counts: Counts, answer: { hasRows: boolean; affectedRows: number }): void {
  if (answer.hasRows) counts.reads += 1;
  else if (answer.affectedRows > 0) counts.writes += 1;
  else counts.other += 1;
}

/** Milliseconds of a monotonic clock that all threads share, unlike `performance.now()`. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

import { PAUSE_MS } from '../load-client.ts';
import {
  createHistogram,
  encodeHistogram,
  type Histogram,
  mergeHistograms,
  recordLatency,
  summarizeHistogram,
} from '../../../shared/histogram/histogram.ts';
import { type Counts, emptyCounts, WINDOW_MS, windowCount, WindowSchedule } from './counts.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';

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

export interface RecorderOptions {
  waiting?: () => number;
  /** Called when the worker did not run, ms. */
  paused?: (fromMs: number, untilMs: number) => void;
  collect?: (position: number, counts: Counts, latencies: Histogram) => void;
}

export function windowLength(phaseMs: number, index: number): number {
  return Math.max(0, Math.min(WINDOW_MS, phaseMs - index * WINDOW_MS));
}

export class PartRecorder {
  readonly #schedule: WindowSchedule;
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
    this.#schedule = new WindowSchedule(warmupMs, durationMs);
    this.#emit = emit;
    this.#options = options;
  }

  /** `atMs` counts from the start of the warm-up; late ones do not count. */
  record(atMs: number, latencyUs: number, counts: Counts): void {
    if (atMs >= this.#schedule.lastMs) return;
    this.advance(atMs);
    addCounts(this.#counts, counts);
    recordLatency(this.#histogram, latencyUs);
  }

  advance(atMs: number): void {
    if (atMs - this.#seenMs > PAUSE_MS) this.interrupt(this.#seenMs, atMs);
    this.#seenMs = atMs;
    while (this.#current < this.#schedule.count && atMs >= this.#schedule.endMs(this.#current)) this.#flush();
  }

  interrupt(fromMs: number, untilMs: number): void {
    for (let position = this.#current; position < this.#schedule.count; position++) {
      const begin = position === 0 ? 0 : this.#schedule.endMs(position - 1);
      if (begin < untilMs && this.#schedule.endMs(position) > fromMs) this.#interrupted.add(position);
    }
    this.#options.paused?.(fromMs, untilMs);
  }

  get windowEndMs(): number | undefined {
    return this.#current < this.#schedule.count ? this.#schedule.endMs(this.#current) : undefined;
  }

  #flush(): void {
    const { warmups } = this.#schedule;
    const warmup = this.#current < warmups;
    this.#options.collect?.(this.#current, this.#counts, this.#histogram);
    this.#emit({
      phase: warmup ? 'warmup' : 'measure',
      index: warmup ? this.#current : this.#current - warmups,
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

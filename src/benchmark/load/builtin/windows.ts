import { PAUSE_MS, type SliceTiming } from '../load-client.ts';
import {
  createHistogram,
  encodeHistogram,
  type Histogram,
  mergeHistograms,
  recordLatency,
  summarizeHistogram,
} from '../../../shared/histogram/histogram.ts';
import { addCounts, type Counts, emptyCounts, WINDOW_MS, windowCount, WindowSchedule } from './counts.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';

/** Begin and end of counting, since the slice's start; undefined: not yet. */
export interface CountedSpan {
  fromMs: number | undefined;
  untilMs: number | undefined;
}

export interface Part extends Counts {
  phase: Window['phase'];
  index: number;
  /** Counted time as a sum over connections. */
  countedMs: number;
  histogram: string;
  interrupted: boolean;
}

export interface RecorderOptions {
  spans: () => readonly CountedSpan[];
  collect?: (position: number, counts: Counts, latencies: Histogram) => void;
}

export class PartRecorder {
  readonly #schedule: WindowSchedule;
  readonly #emit: (part: Part) => void;
  readonly #connections: number;
  readonly #options: RecorderOptions;
  #current = 0;
  #seenMs = 0;
  readonly #interrupted = new Set<number>();
  #counts = emptyCounts();
  #histogram: Histogram = createHistogram();

  constructor(
    { warmupMs, durationMs }: SliceTiming,
    connections: number,
    emit: (part: Part) => void,
    options: RecorderOptions,
  ) {
    this.#schedule = new WindowSchedule(warmupMs, durationMs);
    this.#connections = connections;
    this.#emit = emit;
    this.#options = options;
  }

  /** `atMs` is since the warm-up's start. Late transactions join the last window. */
  record(atMs: number, latencyUs: number, counts: Counts): void {
    this.advance(atMs);
    addCounts(this.#counts, counts);
    recordLatency(this.#histogram, latencyUs);
  }

  advance(atMs: number): void {
    if (atMs - this.#seenMs > PAUSE_MS) this.interrupt(this.#seenMs, atMs);
    this.#seenMs = atMs;
    while (this.#current < this.#schedule.count - 1 && atMs >= this.#schedule.endMs(this.#current)) {
      this.#flush();
    }
  }

  finish(atMs: number): void {
    this.advance(atMs);
    if (this.#current < this.#schedule.count) this.#flush();
  }

  interrupt(fromMs: number, untilMs: number): void {
    for (let position = this.#current; position < this.#schedule.count; position++) {
      const begin = position === 0 ? 0 : this.#schedule.endMs(position - 1);
      if (begin < untilMs && this.#schedule.endMs(position) > fromMs) this.#interrupted.add(position);
    }
  }

  get windowEndMs(): number {
    return this.#schedule.endMs(this.#current);
  }

  #flush(): void {
    const { warmups } = this.#schedule;
    const warmup = this.#current < warmups;
    this.#options.collect?.(this.#current, this.#counts, this.#histogram);
    this.#emit({
      phase: warmup ? 'warmup' : 'measure',
      index: warmup ? this.#current : this.#current - warmups,
      countedMs: this.#countedMs(warmup),
      ...this.#counts,
      histogram: encodeHistogram(this.#histogram),
      interrupted: this.#interrupted.has(this.#current),
    });
    this.#current += 1;
    this.#counts = emptyCounts();
    this.#histogram.reset();
  }

  #countedMs(isWarmup: boolean): number {
    const begin = this.#current === 0 ? 0 : this.#schedule.endMs(this.#current - 1);
    const end = this.#schedule.endMs(this.#current);
    if (isWarmup) return (end - begin) * this.#connections;
    const isLast = this.#current === this.#schedule.count - 1;
    return this.#options.spans().reduce((sum, { fromMs, untilMs }) => {
      if (fromMs === undefined) return sum;
      const until = isLast ? (untilMs ?? end) : end;
      return sum + Math.max(0, until - Math.max(begin, fromMs));
    }, 0);
  }
}

/** Windows are emitted in order, once complete. */
export class WindowMerger {
  readonly #workers: number;
  readonly #connections: number;
  readonly #phases: Record<Window['phase'], number>;
  readonly #emit: (window: Window) => void;
  readonly #parts = new Map<string, Part[]>();
  #next: { phase: Window['phase']; index: number };
  readonly #measured = emptyCounts();
  #countedMs = 0;
  #excludedMs = 0;
  readonly #histogram = createHistogram();

  constructor(
    { workers, connections }: { workers: number; connections: number },
    { warmupMs, durationMs }: SliceTiming,
    emit: (window: Window) => void,
  ) {
    this.#workers = workers;
    this.#connections = connections;
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
      if (parts === undefined || parts.length < this.#workers) return;
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
    const interrupted = parts.some((part) => part.interrupted);
    const durationMs = parts.reduce((sum, { countedMs }) => sum + countedMs, 0) / this.#connections;
    if (phase === 'measure' && interrupted) this.#excludedMs += durationMs;
    else if (phase === 'measure') {
      this.#countedMs += durationMs;
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
      interrupted,
    });
  }

  totals(): Omit<Totals, 'connections' | 'uncounted' | 'client' | 'statements' | 'transactionTypes'> {
    return {
      durationMs: this.#countedMs,
      excludedMs: this.#excludedMs,
      ...this.#measured,
      latency: summarizeHistogram(this.#histogram),
      histogram: encodeHistogram(this.#histogram),
    };
  }
}

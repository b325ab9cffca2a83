import { readdirSync, readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { nowMs } from './counts.ts';

/** Milliseconds of waiting for a core, by thread. */
type Waits = ReadonlyMap<string, number>;

export class CpuMeter {
  readonly #threads: readonly string[];
  #begin: { usage: NodeJS.CpuUsage; waits: Waits | undefined; atMs: number } | undefined;
  cores = 0;
  /** Share of the time waiting for a core, 0…1; undefined if unknown. */
  waiting: number | undefined;

  /** Only the load's threads count: compilers and collectors may wait. */
  constructor(threads: readonly string[] = []) {
    this.#threads = threads;
  }

  start(): void {
    this.#begin = { usage: process.cpuUsage(), waits: waitsOf(this.#threads), atMs: nowMs() };
  }

  stop(): void {
    if (this.#begin === undefined) return;
    const { user, system } = process.cpuUsage(this.#begin.usage);
    const elapsedMs = nowMs() - this.#begin.atMs;
    this.cores = (user + system) / 1000 / elapsedMs;
    this.waiting = waitShareOf(this.#begin.waits, waitsOf(this.#threads), elapsedMs);
    this.#begin = undefined;
  }
}

/** Linux counts a wait when it ends, so a thread's share is limited to 1. */
export function waitShareOf(
  before: Waits | undefined,
  after: Waits | undefined,
  elapsedMs: number,
): number | undefined {
  if (before === undefined || after === undefined || after.size === 0) return undefined;
  const shares = [...after].map(([id, ms]) => Math.min(1, (ms - (before.get(id) ?? ms)) / elapsedMs));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Source: Documentation/scheduler/sched-stats.rst of Linux, run_delay. */
function waitsOf(threads: readonly string[]): Waits | undefined {
  try {
    return new Map(
      threads.map((id) => {
        const [, ns] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ');
        return [id, Number(ns) / 1e6];
      }),
    );
  } catch {
    return undefined;
  }
}

export function threadIds(): Set<string> {
  try {
    return new Set(readdirSync('/proc/self/task'));
  } catch {
    return new Set();
  }
}

export interface GarbageReport {
  gcSeconds: number;
  gcMaxUs: number;
}

export class GarbageMeter {
  readonly #entries: PerformanceEntry[] = [];
  readonly #observer = new PerformanceObserver((list) => this.#entries.push(...list.getEntries()));

  start(): void {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.#entries.push(...this.#observer.takeRecords());
    this.#observer.disconnect();
  }

  report(fromMs: number): GarbageReport {
    const from = fromMs - (nowMs() - performance.now());
    const durations = this.#entries
      .filter(({ startTime }) => startTime >= from)
      .map(({ duration }) => duration);
    return {
      gcSeconds: durations.reduce((sum, duration) => sum + duration, 0) / 1000,
      gcMaxUs: durations.reduce((most, duration) => Math.max(most, duration), 0) * 1000,
    };
  }
}

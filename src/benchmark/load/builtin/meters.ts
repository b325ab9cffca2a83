import { readdirSync, readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { nowMs } from './counts.ts';

export class CpuMeter {
  readonly #threads: number;
  #begin:
    { usage: NodeJS.CpuUsage; waitedMs: ReadonlyMap<string, number> | undefined; atMs: number } | undefined;
  cores = 0;
  /** Share of the time, 0…1, that the threads of the load could run and waited for a core; undefined: unknown. */
  waiting: number | undefined;

  /** How many threads run the load; the process has more, which hardly do anything. */
  constructor(threads = 1) {
    this.#threads = threads;
  }

  start(): void {
    this.#begin = { usage: process.cpuUsage(), waitedMs: waitedMs(), atMs: nowMs() };
  }

  stop(): void {
    if (this.#begin === undefined) return;
    const { user, system } = process.cpuUsage(this.#begin.usage);
    const elapsedMs = nowMs() - this.#begin.atMs;
    this.cores = (user + system) / 1000 / elapsedMs;
    const waited = waitedMs();
    if (waited !== undefined && this.#begin.waitedMs !== undefined) {
      this.waiting = waitShareOf(this.#begin.waitedMs, waited, { elapsedMs, threads: this.#threads });
    }
    this.#begin = undefined;
  }
}

/**
 * Of the threads that waited longest. Linux counts a wait when it ends, so one that began before counts only as far as
 * it fits into the time.
 */
export function waitShareOf(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  { elapsedMs, threads }: { elapsedMs: number; threads: number },
): number {
  const shares = [...after].flatMap(([id, ms]) => {
    const from = before.get(id);
    return from === undefined ? [] : [Math.min(1, (ms - from) / elapsedMs)];
  });
  const longest = shares.sort((a, b) => b - a).slice(0, threads);
  return longest.reduce((sum, share) => sum + share, 0) / threads;
}

/** By thread of this process, ms. Source: Documentation/scheduler/sched-stats.rst of Linux, run_delay. */
function waitedMs(): ReadonlyMap<string, number> | undefined {
  try {
    return new Map(
      readdirSync('/proc/self/task').map((id) => {
        const [, ns] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ');
        return [id, Number(ns) / 1e6];
      }),
    );
  } catch {
    return undefined;
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

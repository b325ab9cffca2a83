import { readdirSync, readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { nowMs } from './counts.ts';

export class CpuMeter {
  #begin: { usage: NodeJS.CpuUsage; waitedMs: number | undefined; atMs: number } | undefined;
  cores = 0;
  /** Mean threads that could run and waited for a core; undefined: unknown. */
  waiting: number | undefined;

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
      this.waiting = (waited - this.#begin.waitedMs) / elapsedMs;
    }
    this.#begin = undefined;
  }
}

/** All threads of this process, ms. Source: Documentation/scheduler/sched-stats.rst of Linux, run_delay. */
function waitedMs(): number | undefined {
  try {
    const threads = readdirSync('/proc/self/task');
    const waited = threads.map((id) =>
      Number(readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[1]),
    );
    return waited.reduce((sum, ns) => sum + ns, 0) / 1e6;
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

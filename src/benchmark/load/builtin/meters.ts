import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { nowMs } from './counts.ts';

export class CpuMeter {
  #begin: { usage: NodeJS.CpuUsage; atMs: number } | undefined;
  /** Mean number of busy cores between `start` and the first `stop`. */
  cores = 0;

  start(): void {
    this.#begin = { usage: process.cpuUsage(), atMs: nowMs() };
  }

  stop(): void {
    if (this.#begin === undefined) return;
    const { user, system } = process.cpuUsage(this.#begin.usage);
    this.cores = (user + system) / 1000 / (nowMs() - this.#begin.atMs);
    this.#begin = undefined;
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

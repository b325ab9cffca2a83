import { PerformanceObserver } from 'node:perf_hooks';
import { nowMs } from './windows.ts';

/** CPU time of this process. */
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

/** Garbage collections of this thread. */
export class GarbageMeter {
  #totalMs = 0;
  #longestMs = 0;
  readonly #observer = new PerformanceObserver((list) => this.#add(list.getEntries()));

  start(): void {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.#add(this.#observer.takeRecords());
    this.#observer.disconnect();
  }

  report(): GarbageReport {
    return { gcSeconds: this.#totalMs / 1000, gcMaxUs: this.#longestMs * 1000 };
  }

  #add(entries: readonly { duration: number }[]): void {
    for (const { duration } of entries) {
      this.#totalMs += duration;
      this.#longestMs = Math.max(this.#longestMs, duration);
    }
  }
}

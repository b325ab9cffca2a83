import { PerformanceObserver } from 'node:perf_hooks';

export interface GarbageReport {
  /** Time that garbage collection took, seconds. */
  gcSeconds: number;
  /** Its longest pause, µs. */
  gcMaxUs: number;
}

/** Garbage collections of this thread between start and stop; a thread that collects answers nobody. */
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

import { Worker } from 'node:worker_threads';

/** After so long a case counts as hung, and the whole process is ended. */
const HANG_MS = 60_000;

/** Counts cases for the thread that notices when one never ends. */
export class Watch {
  readonly #cases = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #thread: Worker;

  /** `target` is how the thread calls what hangs. */
  constructor(target: string) {
    this.#thread = new Worker(new URL('./watchdog.mjs', import.meta.url), {
      workerData: { counter: this.#cases.buffer, hangMs: HANG_MS },
    });
    this.#thread.postMessage(target);
    this.#thread.unref();
  }

  /** The next case begins. */
  next(): void {
    Atomics.add(this.#cases, 0, 1);
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }
}

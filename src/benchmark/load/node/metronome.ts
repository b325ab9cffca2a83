import { Worker } from 'node:worker_threads';

/** Sleeps as long as it is told, then says so. A part of a millisecond is slept, too. */
const SLEEPER = `
const { parentPort } = require('node:worker_threads');
const never = new Int32Array(new SharedArrayBuffer(4));
parentPort.on('message', (ms) => {
  Atomics.wait(never, 0, 0, ms);
  parentPort.postMessage(0);
});`;
/** It asks again after so long, so that whoever ends it never waits longer. */
const LONGEST_MS = 200;

/**
 * Wakes at a moment. Timers of Node know whole milliseconds only, and are late by up to one; that would be a large part
 * of a fast transaction's latency. A thread of its own sleeps here, and nobody has to spin.
 */
export class Metronome {
  readonly #sleeper = new Worker(SLEEPER, { eval: true, execArgv: [] });
  #asleep = false;

  /** `onWake` is called at the moment or earlier, and may ask again. */
  constructor(onWake: () => void) {
    this.#sleeper.on('message', () => {
      this.#asleep = false;
      onWake();
    });
  }

  /** Wakes in so many ms, or sooner; does nothing while it sleeps. */
  wakeIn(ms: number): void {
    if (this.#asleep) return;
    this.#asleep = true;
    this.#sleeper.postMessage(Math.min(LONGEST_MS, Math.max(0, ms)));
  }

  async close(): Promise<void> {
    await this.#sleeper.terminate();
  }
}

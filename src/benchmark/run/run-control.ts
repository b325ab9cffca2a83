import { setMaxListeners } from 'node:events';
import { unlessStopped } from '../stop.ts';

type Emit = (event: { type: 'pause-requested' | 'run-paused' | 'run-resumed' }) => void;

/**
 * What the user may ask of a run beside stopping it. Requests come from outside at any time; the trials heed them: a
 * pause before the next trial, when no server runs, a skip in the middle of one.
 */
export class RunControl {
  readonly #emit: Emit;
  #pause: 'none' | 'requested' | 'paused' = 'none';
  #resume = (): void => undefined;
  #trial: AbortController | undefined;
  #pausedMs = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** How long the run has waited in all, ms. */
  get pausedMs(): number {
    return this.#pausedMs;
  }

  /** The run waits once the trial that runs has ended. */
  pause(): void {
    if (this.#pause !== 'none') return;
    this.#pause = 'requested';
    this.#emit({ type: 'pause-requested' });
  }

  /** The run goes on, or does not pause after all. */
  resume(): void {
    if (this.#pause === 'none') return;
    this.#pause = 'none';
    this.#emit({ type: 'run-resumed' });
    this.#resume();
  }

  /** Ends the trial that runs; without one nothing happens. */
  skip(): void {
    this.#trial?.abort();
  }

  /** Waits as long as the user wants it. Rejects with STOPPED when the run is stopped meanwhile. */
  async pausePoint(signal: AbortSignal): Promise<void> {
    if (this.#pause !== 'requested') return;
    const began = performance.now();
    const resumed = new Promise<void>((resolve) => (this.#resume = resolve));
    this.#pause = 'paused';
    this.#emit({ type: 'run-paused' });
    await unlessStopped(signal, resumed);
    this.#pausedMs += performance.now() - began;
  }

  /**
   * A trial begins, which `skip` may end from now on. `signal` aborts when it is skipped and when the run is stopped;
   * `end` is to be called once its numbers are complete, or it has ended otherwise.
   */
  beginTrial(stop: AbortSignal): { signal: AbortSignal; isSkipped(): boolean; end(): void } {
    const trial = new AbortController();
    // Check and load listen with every connection.
    setMaxListeners(50, trial.signal);
    const onStop = (): void => trial.abort();
    stop.addEventListener('abort', onStop, { once: true });
    this.#trial = trial;
    return {
      signal: trial.signal,
      isSkipped: () => trial.signal.aborted && !stop.aborted,
      end: () => {
        stop.removeEventListener('abort', onStop);
        if (this.#trial === trial) this.#trial = undefined;
      },
    };
  }
}

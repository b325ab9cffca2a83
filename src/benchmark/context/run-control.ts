import { setMaxListeners } from 'node:events';
import { unlessStopped } from '../stop.ts';

type Emit = (event: { type: 'pause-requested' | 'run-paused' | 'run-resumed' }) => void;

/** A pause takes effect before the next trial; a skip within one. */
export class RunControl {
  #pause: 'none' | 'requested' | 'paused' = 'none';
  #resume = (): void => undefined;
  #trial: AbortController | undefined;
  #pausedMs = 0;

  constructor(private readonly emit: Emit) {}

  get pausedMs(): number {
    return this.#pausedMs;
  }

  get isPauseRequested(): boolean {
    return this.#pause === 'requested';
  }

  pause(): void {
    if (this.#pause !== 'none') return;
    this.#pause = 'requested';
    this.emit({ type: 'pause-requested' });
  }

  resume(): void {
    if (this.#pause === 'none') return;
    this.#pause = 'none';
    this.emit({ type: 'run-resumed' });
    this.#resume();
  }

  skip(): void {
    this.#trial?.abort();
  }

  async pausePoint(signal: AbortSignal): Promise<void> {
    if (this.#pause !== 'requested') return;
    const began = performance.now();
    const resumed = new Promise<void>((resolve) => (this.#resume = resolve));
    this.#pause = 'paused';
    this.emit({ type: 'run-paused' });
    await unlessStopped(signal, resumed);
    this.#pausedMs += performance.now() - began;
  }

  /** `signal` aborts on skip and stop. Call `end` once measuring has ended. */
  beginTrial(stop: AbortSignal): { signal: AbortSignal; isSkipped(): boolean; end(): void } {
    const trial = new AbortController();
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

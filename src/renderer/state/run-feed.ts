import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { reduce } from '../../shared/run/reduce.ts';

export const SHOWN_EVERY_MS = 200;

const STREAMS: ReadonlySet<RunEvent['type']> = new Set(['window', 'step-progress', 'server-log']);

/** Streams are shown at intervals, since redraws take CPU from the load. */
export class RunFeed {
  readonly #show: (run: RunState | undefined) => void;
  #run: RunState | undefined;
  #shownAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (run: RunState | undefined) => void) {
    this.#show = show;
  }

  begin(run: RunState | undefined): void {
    this.#run = run;
    this.#flush();
  }

  push(event: RunEvent): void {
    this.#run = reduce(this.#run, event);
    const wait = this.#shownAt + SHOWN_EVERY_MS - performance.now();
    if (wait <= 0 || !STREAMS.has(event.type)) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shownAt = performance.now();
    this.#show(this.#run);
  }
}

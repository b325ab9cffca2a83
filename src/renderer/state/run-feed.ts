import type { RunEvent } from '../../shared/model/events.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { reduceView } from '../../shared/run/run-view.ts';

/** Streams redraw the screens at most this often. */
export const SHOWN_EVERY_MS = 200;

const STREAMS: ReadonlySet<RunEvent['type']> = new Set(['window', 'step-progress', 'server-log']);

/** Streams at most every `SHOWN_EVERY_MS`, since each redraw takes CPU from the load. */
export class RunFeed {
  readonly #show: (run: RunView | undefined) => void;
  #run: RunView | undefined;
  #shownAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (run: RunView | undefined) => void) {
    this.#show = show;
  }

  begin(run: RunView | undefined): void {
    this.#run = run;
    this.#flush();
  }

  push(event: RunEvent): void {
    this.#run = reduceView(this.#run, event);
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

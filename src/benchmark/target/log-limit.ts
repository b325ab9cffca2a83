/** What one server's log may add to a run at once, and on average after that, in characters. */
const AT_ONCE = 2 ** 18;
const PER_SECOND = 2 ** 10;
/** What a line takes besides its text. */
const LINE = 64;

/**
 * Passes a server's log on, but no more than a journal can hold of a server that writes without end. What is too much is
 * left out, and one line in its place says how much; lines come again when half of `AT_ONCE` is free.
 */
export class LogLimit {
  readonly #onLines: (lines: string[]) => void;
  readonly #now: () => number;
  #room = AT_ONCE;
  #at: number;
  #leftOut = 0;

  /** `now`: milliseconds. */
  constructor(onLines: (lines: string[]) => void, now: () => number = () => performance.now()) {
    this.#onLines = onLines;
    this.#now = now;
    this.#at = now();
  }

  push(line: string): void {
    const now = this.#now();
    this.#room = Math.min(AT_ONCE, this.#room + ((now - this.#at) / 1000) * PER_SECOND);
    this.#at = now;
    const size = line.length + LINE;
    if (size > this.#room || (this.#leftOut > 0 && this.#room < AT_ONCE / 2)) {
      this.#leftOut += 1;
      return;
    }
    this.end();
    this.#room -= size;
    this.#onLines([line]);
  }

  /** Says what was left out since the last line. */
  end(): void {
    const count = this.#leftOut;
    this.#leftOut = 0;
    if (count > 0) this.#onLines([`[Whalemark] ${count} lines left out: the server writes too many`]);
  }
}

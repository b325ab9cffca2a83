/** Port on which a log line says the server accepts TCP connections; 0 is the temporary server of initialisation. */
export function readyPort(line: string): number | undefined {
  // MySQL prints this in one line with "ready for connections", MariaDB in a line of its own.
  // The X plugin's line has no version and does not match.
  const match = /Version: '[^']+'\s+socket: '[^']*'\s+port: (\d+)/.exec(line);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** Lines of its log that are kept while a server runs. */
const LINES_KEPT = 500;
/** Lines of it that stand in an error: enough for what a server says on its way down. */
const LINES_TOLD = 50;

/** The end of a server's log, as an error tells it. */
export function logEvidence(log: readonly string[]): string[] {
  return log.slice(-LINES_TOLD);
}

/** Characters of a line that are kept. */
const LINE_KEPT = 4096;

/** Adds a line to a server's log; of a long line and of the oldest ones, what is too much is forgotten. */
export function keepLine(log: string[], line: string): void {
  // A slice would keep all of the line in memory.
  log.push(line.length <= LINE_KEPT ? line : Buffer.from(line.slice(0, LINE_KEPT)).toString());
  if (log.length > LINES_KEPT) log.shift();
}

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

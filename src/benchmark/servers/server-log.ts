/** 0 is initialization's temporary server; undefined for other lines. */
export function readyPort(line: string): number | undefined {
  // MariaDB has a separate line. The X plugin's has no version.
  const match = /Version: '[^']+'\s+socket: '[^']*'\s+port: (\d+)/.exec(line);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

const LINES_KEPT = 500;
const LINES_TOLD = 50;

export function logEvidence(log: readonly string[]): string[] {
  return log.slice(-LINES_TOLD);
}

const LINE_KEPT = 4096;

export function keepLine(log: string[], line: string): void {
  // A slice would keep the whole line in memory.
  log.push(line.length <= LINE_KEPT ? line : Buffer.from(line.slice(0, LINE_KEPT)).toString());
  if (log.length > LINES_KEPT) log.shift();
}

/** Characters at once, and on average afterward. */
const AT_ONCE = 2 ** 18;
const PER_SECOND = 2 ** 10;
/** Characters that a journal adds to each line. */
const LINE = 64;

export class LogLimit {
  readonly #onLines: (lines: string[]) => void;
  readonly #now: () => number;
  #room = AT_ONCE;
  #at: number;
  #leftOut = 0;

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

  end(): void {
    const count = this.#leftOut;
    this.#leftOut = 0;
    if (count > 0) this.#onLines([`[Whalemark] ${count} lines left out: the server writes too many`]);
  }
}

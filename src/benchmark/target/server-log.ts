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

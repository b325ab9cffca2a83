/** Port on which a log line says the server accepts TCP connections; 0 is the temporary server of initialisation. */
export function readyPort(line: string): number | undefined {
  // MySQL prints this in one line with "ready for connections", MariaDB in a line of its own.
  // The X plugin's line has no version and does not match.
  const match = /Version: '[^']+'\s+socket: '[^']*'\s+port: (\d+)/.exec(line);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

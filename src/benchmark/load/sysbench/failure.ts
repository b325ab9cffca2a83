import { BenchmarkError } from '../../../shared/errors.ts';
import type { LoadSpec } from '../driver.ts';
import { loadError } from '../node/sql-error.ts';
import { needsOf } from '../node/workload-engine.ts';

/** How a run of sysbench ended without its figures. */
export interface Ending {
  /** The last lines that it wrote, of both streams. */
  lines: string[];
  /** Exit code, or the signal that ended it. */
  status: number | string;
}

/**
 * Server and client library errors as 1.0.20 writes them: `error 1045: Access …`, `MySQL error: 1146 "Table …"`,
 * `mysql_drv_query() returned error 2013 (Lost …) for query …`.
 */
const NUMBERED = /^FATAL: .*?\berror:? (\d{4,5})\b[:\s]*(.*)$/;

/**
 * What ended a run, with the codes that our own driver uses for the server's error numbers (see `loadError`); the last
 * lines of sysbench's output are the evidence.
 */
export function sysbenchError(
  { lines, status }: Ending,
  spec: Pick<LoadSpec, 'connections' | 'workload'>,
): BenchmarkError {
  const { code, params } = loadError(cause(lines, status), needsOf(spec));
  return new BenchmarkError(code, params, { evidence: lines });
}

function cause(lines: string[], status: number | string): Error {
  for (const line of lines) {
    const [, errno, text = ''] = NUMBERED.exec(line) ?? [];
    if (errno !== undefined) return Object.assign(new Error(unwrapped(text)), { errno: Number(errno) });
  }
  const fatal = lines.find((line) => line.startsWith('FATAL: '))?.slice('FATAL: '.length);
  return new Error(fatal ?? `sysbench ended without figures (${status})`);
}

/** The message without what sysbench puts around it. */
function unwrapped(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? /^\((.*?)\) for query\b/.exec(text)?.[1] ?? text;
}

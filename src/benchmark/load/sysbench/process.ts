import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errnoOf } from '../../errno.ts';
import type { LoadSpec } from '../driver.ts';
import { loadError } from '../node/sql-error.ts';
import { needsOf } from '../node/workload-engine.ts';
import { BenchmarkError } from '../../../shared/errors.ts';

/** After so long a sysbench that was told to end is killed. */
const KILL_MS = 300;
const LINES_KEPT = 40;

/**
 * Runs sysbench, without a shell, in the folder `cwd`. Lines of its stdout go to `onLine`, which says whether it took
 * them; what nobody took is part of the ending, as is stderr. Resolves when it has ended and all its output is
 * read, also when `signal` made it end. Rejects with LOAD_FAILED when there is no sysbench on the PATH.
 */
export async function runSysbench(
  args: string[],
  { cwd, onLine, signal }: { cwd: string; onLine: (line: string) => boolean; signal: AbortSignal },
): Promise<Ending> {
  const child = spawn('sysbench', args, {
    cwd,
    // Nothing of ours is its business. LC_ALL: our records need decimal points.
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const remember = (line: string): void => {
    if (line === '') return;
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!onLine(line)) remember(line);
  });
  createInterface({ input: child.stderr }).on('line', remember);

  let kill: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGTERM');
    kill = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await new Promise<Ending>((resolve, reject) => {
      child.once('error', (error) => {
        const reason = errnoOf(error) === 'ENOENT' ? 'this client has no sysbench' : error.message;
        reject(new BenchmarkError('LOAD_FAILED', { reason }, { cause: error }));
      });
      child.once('close', (code, name) => resolve({ lines, status: code ?? name ?? 'unknown' }));
    });
  } finally {
    clearTimeout(kill);
    signal.removeEventListener('abort', stop);
  }
}

/** How a run of sysbench ended without its figures. */
interface Ending {
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

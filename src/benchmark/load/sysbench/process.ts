import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BenchmarkError } from '../../../shared/errors.ts';
import { errnoOf } from '../../errno.ts';
import type { Ending } from './failure.ts';

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

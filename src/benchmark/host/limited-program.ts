import { spawn } from 'node:child_process';
import { BenchmarkError } from '../../shared/errors.ts';

/** Time for the rest of the output, and the wait for a program that can't be ended. */
const DRAIN_MS = 1_000;

export interface ProgramLimits {
  cwd?: string;
  env: NodeJS.ProcessEnv;
  ms: number;
  stdoutBytes: number;
  stderrBytes: number;
  signal?: AbortSignal | undefined;
}

export type ProgramEnd =
  | { how: 'ended'; code: number | null; stdout: string; stderr: string }
  | { how: 'late' | 'too-much' | 'not-started' };

/** Rejects only with STOPPED; a limit ends the whole process tree. */
export function runLimited(
  command: string,
  args: readonly string[],
  { cwd, env, ms, stdoutBytes, stderrBytes, signal }: ProgramLimits,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(new BenchmarkError('STOPPED'));
    const child = started();
    if (child === undefined) return resolve({ how: 'not-started' });
    let end: ProgramEnd['how'] = 'ended';
    let code: number | null = null;
    let drain: NodeJS.Timeout | undefined;
    const read = { stdout: kept(stdoutBytes), stderr: kept(stderrBytes) };
    const settle = (): void => {
      clearTimeout(limit);
      clearTimeout(drain);
      signal?.removeEventListener('abort', stop);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      if (signal?.aborted === true) reject(new BenchmarkError('STOPPED'));
      else if (end === 'ended')
        resolve({ how: end, code, stdout: read.stdout.text(), stderr: read.stderr.text() });
      else resolve({ how: end });
    };
    // A child that left the group may keep the streams open.
    const settleSoon = (): void => {
      drain ??= setTimeout(() => {
        if (child.pid !== undefined) endTree(child.pid);
        settle();
      }, DRAIN_MS);
    };
    const kill = (how: ProgramEnd['how']): void => {
      if (end !== 'ended') return;
      end = how;
      if (child.pid !== undefined) endTree(child.pid);
      settleSoon();
    };
    const stop = (): void => kill('late');
    const limit = setTimeout(stop, ms);
    signal?.addEventListener('abort', stop, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (part: Buffer) => {
        if (!read[name].add(part)) kill('too-much');
      });
      child[name].on('error', () => undefined);
    }
    child.once('error', () => {
      if (child.pid !== undefined) return;
      end = 'not-started';
      settle();
    });
    child.once('exit', (exitCode) => {
      code = exitCode;
      settleSoon();
    });
    child.once('close', settle);
  });

  function started() {
    try {
      return spawn(command, args, {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // `detached` makes a process group.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch {
      // The path has a null byte.
      return undefined;
    }
  }
}

/** The program must lead a process group. */
export function endTree(pid: number): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The program has ended.
  }
}

function kept(most: number) {
  const parts: Buffer[] = [];
  let left = most;
  return {
    add: (part: Buffer): boolean => {
      left -= part.length;
      if (left >= 0) parts.push(part);
      return left >= 0;
    },
    text: () => Buffer.concat(parts).toString('utf8'),
  };
}

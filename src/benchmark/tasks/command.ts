import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { errnoOf } from '../files/failures.ts';
import { endTree } from '../host/limited-program.ts';
import type { LoadTarget } from '../load/load-client.ts';
import { commandEnv } from './command-env.ts';
import { CommandProcesses } from './command-processes.ts';
import { failed, withinLimit } from './limit.ts';
import type { OwnCommand } from '../context/own-task.ts';

export const LINES_KEPT = 20;
const LINE_LENGTH = 500;
const DRAIN_MS = 1_000;
const MARK = 'WHALEMARK_COMMAND';

export interface StartedCommand {
  ended: Promise<{ ms: number; code: number | null; by?: string | null }>;
  kill(): void;
  lastLines(): Promise<string[]>;
}

/**
 * Resolves with the time to the exit, ms. `onLeft` gets PIDs that may be left. Rejects with TASK_FAILED or
 * STOPPED.
 */
export async function runCommand(
  command: OwnCommand,
  target: LoadTarget,
  onLeft: (pids: number[]) => void,
  signal: AbortSignal,
): Promise<number> {
  const { left, ...started } = startHere(command, target);
  try {
    return await timeOf(command, started, signal);
  } finally {
    const pids = left();
    if (pids.length > 0) onLeft(pids);
  }
}

export async function timeOf(
  { limitSeconds, tell }: OwnCommand,
  { ended, kill, lastLines }: StartedCommand,
  signal: AbortSignal,
): Promise<number> {
  return withinLimit(limitSeconds, signal, async (limited) => {
    limited.addEventListener('abort', kill, { once: true });
    if (limited.aborted) kill();
    try {
      const { ms, code, by } = await ended;
      if (signal.aborted) throw new BenchmarkError('STOPPED');
      if (code === 0) return ms;
      tell(await lastLines());
      throw failed(code === null ? msg('task.killed', { signal: by ?? '' }) : msg('task.exit', { code }));
    } finally {
      limited.removeEventListener('abort', kill);
      kill();
    }
  });
}

function startHere(
  { words, folder }: OwnCommand,
  target: LoadTarget,
): StartedCommand & { left: () => number[] } {
  const [program = '', ...args] = words;
  const tail = new LastLines();
  const mark = randomUUID();
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...commandEnv(target), [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Children then end with the process group.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const processes = child.pid === undefined ? undefined : new CommandProcesses(child.pid, `${MARK}=${mark}`);
  const kill = (): void => {
    if (process.platform !== 'win32') processes?.kill();
    else if (child.pid !== undefined) endTree(child.pid);
  };
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream.setEncoding('utf8').on('data', (text: string) => tail.add(text));
  const closed = new Promise((resolve) => child.once('close', resolve));
  return {
    ended: new Promise((resolve, reject) => {
      child.once('error', (error) =>
        reject(failed(msg(errnoOf(error) === 'ENOENT' ? 'task.noProgram' : 'task.notStarted'))),
      );
      child.once('exit', (code, by) => resolve({ ms: performance.now() - began, code, by }));
    }),
    kill,
    left: () => processes?.left() ?? [],
    lastLines: async () => {
      kill();
      // A program outside of the group may keep them open.
      await Promise.race([closed, wait(DRAIN_MS)]);
      for (const stream of streams) stream.destroy();
      return tail.lines();
    },
  };
}

class LastLines {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-LINES_KEPT * LINE_LENGTH);
  }

  lines(): string[] {
    return lastLinesOf(this.#text.split(/\r?\n/));
  }
}

export function lastLinesOf(lines: readonly string[]): string[] {
  const said = lines.filter((line) => line.trim() !== '');
  return said.slice(-LINES_KEPT).map((line) => line.slice(-LINE_LENGTH));
}

import { spawn } from 'node:child_process';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { errnoOf } from '../files/failures.ts';
import type { LoadTarget } from '../load/load-client.ts';

/** The user's own words, of this call only: never of a preset, a result, or a Compose file, and stored nowhere. */
export interface OwnCommand {
  words: readonly string[];
  folder: string;
  limitSeconds: number;
  /** Gets its last lines if it fails. */
  tell: (lines: string[]) => void;
}

/** What frameworks ask for (Laravel, Symfony, Rails, Django, Prisma, WordPress, and the images themselves). */
export function commandEnv({ host, port, user, password, database }: LoadTarget): Record<string, string> {
  const url = `mysql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  return {
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USER: user,
    DB_USERNAME: user,
    DB_PASSWORD: password,
    DB_DATABASE: database,
    DB_NAME: database,
    MYSQL_HOST: host,
    MYSQL_PORT: String(port),
    MYSQL_TCP_PORT: String(port),
    MYSQL_USER: user,
    MYSQL_PASSWORD: password,
    MYSQL_PWD: password,
    MYSQL_DATABASE: database,
    DATABASE_URL: url,
  };
}

const LINES_KEPT = 20;
const LINE_LENGTH = 500;

/**
 * Without a shell, in the user's folder. Resolves with the time to its exit, ms. Ends its whole process group afterwards,
 * and when it takes too long. Rejects with TASK_FAILED or STOPPED.
 */
export async function runCommand(
  { words, folder, limitSeconds, tell }: OwnCommand,
  target: LoadTarget,
  signal: AbortSignal,
): Promise<number> {
  const [program = '', ...args] = words;
  const tail = new LastLines();
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...commandEnv(target) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // So that its children are in its process group, and end with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const endAll = (): void => killTree(child.pid);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    endAll();
  }, limitSeconds * 1000);
  signal.addEventListener('abort', endAll, { once: true });
  if (signal.aborted) endAll();
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => tail.add(chunk));
  try {
    const { ms, code, by } = await new Promise<{ ms: number; code: number | null; by: string | null }>(
      (resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (code, by) => resolve({ ms: performance.now() - began, code, by }));
      },
    );
    if (signal.aborted) throw new BenchmarkError('STOPPED');
    if (isLate) throw failed(msg('task.limit', { seconds: limitSeconds }));
    if (code !== 0) {
      tell(tail.lines());
      throw failed(code === null ? msg('task.killed', { signal: by ?? '' }) : msg('task.exit', { code }));
    }
    return ms;
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    throw failed(errnoOf(error) === 'ENOENT' ? msg('task.noProgram') : msg('task.notStarted'));
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', endAll);
    endAll();
  }
}

function failed(reason: ReturnType<typeof msg>): BenchmarkError {
  return new BenchmarkError('TASK_FAILED', { reason });
}

function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // All have ended.
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}

/** However much a program writes. */
class LastLines {
  #text = '';

  add(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString()).slice(-LINES_KEPT * LINE_LENGTH);
  }

  lines(): string[] {
    const lines = this.#text.split(/\r?\n/).filter((line) => line.trim() !== '');
    return lines.slice(-LINES_KEPT).map((line) => line.slice(0, LINE_LENGTH));
  }
}

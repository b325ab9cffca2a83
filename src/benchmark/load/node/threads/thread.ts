import { parentPort } from 'node:worker_threads';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import { createRandom } from '../../../random.ts';
import { GarbageMeter, type GarbageReport } from '../meters.ts';
import { OltpProgram } from '../oltp/program.ts';
import { clearCounts, emptyCounts, nowMs, WindowSchedule } from '../counts.ts';
import { BlockingSession } from '../wire/blocking-session.ts';
import { ThreadCounts } from './shared-counts.ts';

export interface ThreadTask {
  /** File descriptor of a logged-in, blocking connection. */
  socket: number;
  memory: SharedArrayBuffer;
  thread: number;
  workload: OltpWorkload;
  connection: number;
  seed: number;
  contentSeed: number;
  warmupMs: number;
  durationMs: number;
}

export type ThreadCommand = { type: 'open'; task: ThreadTask } | { type: 'begin'; startMs: number };

/** What `loadError` needs of an error; a copied error loses its fields. */
export interface ThreadError {
  message: string;
  errno?: unknown;
  code?: unknown;
}

export type ThreadMessage =
  | { type: 'ready' }
  | { type: 'failed'; error: ThreadError }
  /** Follows every `begin` and `failed`: it uses the connection no more. */
  | { type: 'ended'; garbage: GarbageReport };

class ThreadLoad {
  readonly #task: ThreadTask;
  readonly #session: BlockingSession;
  readonly #counts: ThreadCounts;
  readonly #program: OltpProgram;

  constructor(task: ThreadTask) {
    this.#task = task;
    const { memory, thread, workload, seed, contentSeed, connection } = task;
    const draws = { ids: createRandom(seed, connection), content: createRandom(contentSeed, connection) };
    this.#session = new BlockingSession(task.socket);
    this.#counts = new ThreadCounts(memory, thread, new WindowSchedule(task.warmupMs, task.durationMs));
    this.#program = new OltpProgram(this.#session, workload, draws, this.#counts);
  }

  prepare(): Promise<void> {
    return this.#program.prepare();
  }

  /** Closes the connection after the last transaction, unless it is lost. */
  async run(startMs: number): Promise<GarbageReport> {
    const { warmupMs, durationMs } = this.#task;
    const garbage = new GarbageMeter();
    garbage.start();
    this.#loop(startMs, warmupMs + durationMs);
    await this.#program.close();
    // What a thread that never rests collected is only reported now.
    await new Promise((resolve) => setImmediate(resolve));
    garbage.stop();
    return garbage.report(startMs + warmupMs);
  }

  #loop(startMs: number, endMs: number): void {
    const counts = emptyCounts();
    // The same clock as `nowMs`, without its garbage.
    const start = performance.now() + (startMs - nowMs());
    const elapsed = (): number => performance.now() - start;
    let isRunning = false;
    let failure: unknown;
    const done = (error?: unknown): void => {
      isRunning = false;
      failure = error;
    };
    sleepUntil(startMs);
    for (let began = elapsed(); began < endMs && !this.#counts.isStopped;) {
      isRunning = true;
      this.#program.run(counts, done);
      while (isRunning) this.#session.listen();
      if (failure !== undefined) throw failure;
      began = this.#counts.finish(began, counts, elapsed);
      clearCounts(counts);
    }
  }
}

const never = new Int32Array(new SharedArrayBuffer(4));

function sleepUntil(ms: number): void {
  const left = ms - nowMs();
  if (left > 0) Atomics.wait(never, 0, 0, left);
}

/** Serves the loads of one connection after the other. */
export function startThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('not a thread');
  const tell = (message: ThreadMessage): void => port.postMessage(message);
  let load: ThreadLoad | undefined;
  const serve = async (command: ThreadCommand): Promise<void> => {
    if (command.type === 'open') {
      load = new ThreadLoad(command.task);
      await load.prepare();
      tell({ type: 'ready' });
    } else if (load !== undefined) {
      tell({ type: 'ended', garbage: await load.run(command.startMs) });
    }
  };
  port.on('message', (command: ThreadCommand) => {
    serve(command).catch((error: unknown) => {
      tell({ type: 'failed', error: fieldsOf(error) });
      tell({ type: 'ended', garbage: { gcSeconds: 0, gcMaxUs: 0 } });
    });
  });
}

function fieldsOf(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...('errno' in error ? { errno: error.errno } : {}),
    ...('code' in error ? { code: error.code } : {}),
  };
}

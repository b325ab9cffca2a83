import { spawn, type ChildProcess } from 'node:child_process';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Part } from './windows.ts';
import type { SliceTiming } from '../load-client.ts';
import type { WorkerShare } from './transport.ts';
import type { WorkerCommand, WorkerMessage, WorkerReport } from './worker.ts';

const STOP_MS = 700;

/** Promises reject if the load fails or the worker ends. */
export interface WorkerLoad {
  readonly connected: Promise<void>;
  /** `drain` may follow `counted`. */
  slice(
    atMs: number,
    timing: SliceTiming,
    onPart: (part: Part) => void,
  ): { counted: Promise<void>; done: Promise<WorkerReport> };
  drain(): void;
}

export const WORK = 'work';

/** A process, unlike a thread, can be killed while it hangs. */
export class Worker {
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #lost: Promise<never>;
  #onMessage: (message: WorkerMessage) => void = () => undefined;

  constructor(file: string) {
    // stdout carries answers, so prints are dropped. Electron 22 crashes when it frees `advanced` messages.
    const child = spawn(process.execPath, [file, WORK], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
    });
    this.#process = child;
    child.on('message', (message: WorkerMessage) => this.#onMessage(message));
    this.#lost = new Promise((_, reject) => {
      child.on('error', ({ message }) => reject(new BenchmarkError('CLIENT_LOST', { reason: message })));
      child.once('exit', (code, signal) => {
        const reason = `a worker ended with ${signal ?? `exit code ${code ?? '?'}`}`;
        const isKilled = code === 0 || signal === 'SIGKILL' || signal === 'SIGTERM';
        reject(new BenchmarkError(isKilled ? 'CLIENT_LOST' : 'CLIENT_CRASHED', { reason }));
      });
    });
    this.#exited = this.#lost.catch(() => undefined);
    this.#hold(false);
  }

  /** `rest` or `close` must be called before the next load. */
  load(share: WorkerShare): WorkerLoad {
    this.#hold(true);
    let on: (message: WorkerMessage) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      this.#onMessage = (message) => {
        if (message.type === 'failed') reject(BenchmarkError.fromData(message.error));
        else on(message);
      };
    });
    const unlessFailed = <T>(expected: Promise<T>): Promise<T> => {
      const either = Promise.race([this.#lost, failed, expected]);
      either.catch(() => undefined);
      return either;
    };
    const connected = new Promise<void>((resolve) => {
      on = ({ type }) => {
        if (type === 'connected') resolve();
      };
    });
    this.#send({ type: 'load', share });
    return {
      connected: unlessFailed(connected),
      slice: (atMs, timing, onPart) => {
        let counted = (): void => undefined;
        let done: (report: WorkerReport) => void = () => undefined;
        const allCounted = new Promise<void>((resolve) => (counted = resolve));
        const sliced = new Promise<WorkerReport>((resolve) => (done = resolve));
        on = (message) => {
          if (message.type === 'part') onPart(message.part);
          else if (message.type === 'counted') counted();
          else if (message.type === 'sliced') done(message);
        };
        this.#send({ type: 'slice', atMs, timing });
        return { counted: unlessFailed(allCounted), done: unlessFailed(sliced) };
      },
      drain: () => this.#send({ type: 'drain' }),
    };
  }

  async rest(): Promise<boolean> {
    const rested = new Promise<boolean>((resolve) => {
      this.#onMessage = ({ type }) => {
        if (type === 'rested') resolve(true);
      };
    });
    this.#send({ type: 'stop' });
    const ended = this.#exited.then(() => false);
    const limit = setTimeout(() => void this.#process.kill('SIGKILL'), STOP_MS);
    const isReady = await Promise.race([rested, ended]);
    clearTimeout(limit);
    this.#hold(false);
    return isReady;
  }

  async close(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  #hold(isHeld: boolean): void {
    const held = [this.#process, this.#process.channel];
    for (const one of held) {
      if (isHeld) one?.ref();
      else one?.unref();
    }
  }

  #send(command: WorkerCommand): void {
    this.#process.send(command, () => undefined);
  }
}

export class WorkerPool {
  readonly #file: string;
  readonly #resting: Worker[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  take(): Worker {
    return this.#resting.pop() ?? new Worker(this.#file);
  }

  async giveBack(worker: Worker): Promise<void> {
    if (await worker.rest()) this.#resting.push(worker);
  }

  async close(): Promise<void> {
    await Promise.all(this.#resting.splice(0).map((worker) => worker.close()));
  }
}

import { Worker } from 'node:worker_threads';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Part } from './windows.ts';
import type { WorkerCommand, WorkerData, WorkerMessage, WorkerReport } from './worker.ts';

/** After so long a worker that was told to stop is ended by force. */
const STOP_MS = 700;

/** A worker thread as its coordinator sees it. */
export class WorkerThread {
  /** Resolves when all its connections are open; rejects with what ended the worker before that. */
  readonly connected: Promise<void>;
  /** Resolves when it has delivered everything and closed its connections, with what it knows beside its parts. */
  readonly done: Promise<WorkerReport>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;

  constructor(file: string, data: WorkerData, onPart: (part: Part) => void) {
    // Not the flags of the program around it; and what a library may print must not get between the answers
    // that a client in a container writes to stdout.
    const worker = new Worker(file, { workerData: data, execArgv: [], stdout: true });
    worker.stdout.resume();
    this.#worker = worker;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    let connected = (): void => undefined;
    let done: (report: WorkerReport) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      const lost = (reason: string): void => reject(new BenchmarkError('CLIENT_LOST', { reason }));
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'connected') connected();
        else if (message.type === 'part') onPart(message.part);
        else if (message.type === 'done') done(message);
        else reject(BenchmarkError.fromData(message.error));
      });
      worker.once('messageerror', (error) => lost(error.message));
      worker.once('error', (error) => lost(error.message));
      worker.once('exit', (code) => lost(`a worker ended with exit code ${code}`));
    });
    this.connected = Promise.race([failed, new Promise<void>((resolve) => (connected = resolve))]);
    this.done = Promise.race([failed, new Promise<WorkerReport>((resolve) => (done = resolve))]);
    // Whoever waits for them hears of it; after the end nobody does.
    for (const promise of [this.connected, this.done]) promise.catch(() => undefined);
  }

  begin(atMs: number): void {
    this.#post({ type: 'begin', atMs });
  }

  /** Ends the thread, if need be by force; its connections are closed then. */
  async close(): Promise<void> {
    this.#post({ type: 'stop' });
    const limit = setTimeout(() => void this.#worker.terminate(), STOP_MS);
    await this.#exited;
    clearTimeout(limit);
  }

  #post(command: WorkerCommand): void {
    this.#worker.postMessage(command);
  }
}

import { Worker } from 'node:worker_threads';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Part } from './windows.ts';
import type { WorkerCommand, WorkerMessage, WorkerReport, WorkerShare } from './worker.ts';

/** For a worker to end its load, ms. */
const STOP_MS = 700;

export interface WorkerLoad {
  readonly connected: Promise<void>;
  readonly done: Promise<WorkerReport>;
  begin(atMs: number): void;
}

/** A worker thread, for one load at a time. Does not keep the process alive while it rests. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #lost: Promise<never>;
  #onMessage: (message: WorkerMessage) => void = () => undefined;

  constructor(file: string) {
    // Without the flags of the surrounding program. Prints go nowhere, since stdout carries a client's answers.
    const worker = new Worker(file, { execArgv: [], stdout: true });
    worker.stdout.resume();
    worker.unref();
    this.#worker = worker;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (message: WorkerMessage) => this.#onMessage(message));
    this.#lost = new Promise((_, reject) => {
      const lost = (reason: string): void => reject(new BenchmarkError('CLIENT_LOST', { reason }));
      worker.once('messageerror', (error) => lost(error.message));
      worker.once('error', (error) => lost(error.message));
      worker.once('exit', (code) => lost(`a worker ended with exit code ${code}`));
    });
    this.#lost.catch(() => undefined);
  }

  /** Call `rest` or `close` before the next one. */
  load(share: WorkerShare, onPart: (part: Part) => void): WorkerLoad {
    this.#worker.ref();
    let connected = (): void => undefined;
    let done: (report: WorkerReport) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      this.#onMessage = (message) => {
        if (message.type === 'connected') connected();
        else if (message.type === 'part') onPart(message.part);
        else if (message.type === 'done') done(message);
        else if (message.type === 'failed') reject(BenchmarkError.fromData(message.error));
      };
    });
    const load = {
      connected: Promise.race([this.#lost, failed, new Promise<void>((resolve) => (connected = resolve))]),
      done: Promise.race([this.#lost, failed, new Promise<WorkerReport>((resolve) => (done = resolve))]),
      begin: (atMs: number): void => this.#post({ type: 'begin', atMs }),
    };
    for (const promise of [load.connected, load.done]) promise.catch(() => undefined);
    this.#post({ type: 'load', share });
    return load;
  }

  /** Ends the load; whether the worker is ready for another one. */
  async rest(): Promise<boolean> {
    const rested = new Promise<boolean>((resolve) => {
      this.#onMessage = ({ type }) => {
        if (type === 'rested') resolve(true);
      };
    });
    this.#post({ type: 'stop' });
    const ended = this.#exited.then(() => false);
    const limit = setTimeout(() => void this.#worker.terminate(), STOP_MS);
    const isReady = await Promise.race([rested, ended]);
    clearTimeout(limit);
    this.#worker.unref();
    return isReady;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
    await this.#exited;
  }

  #post(command: WorkerCommand): void {
    this.#worker.postMessage(command);
  }
}

/**
 * Worker threads that wait for the next load: a new one reaches its full rate only after some seconds, once its code is
 * compiled.
 */
export class WorkerPool {
  readonly #file: string;
  readonly #resting: WorkerThread[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  take(): WorkerThread {
    return this.#resting.pop() ?? new WorkerThread(this.#file);
  }

  async giveBack(worker: WorkerThread): Promise<void> {
    if (await worker.rest()) this.#resting.push(worker);
  }

  async close(): Promise<void> {
    await Promise.all(this.#resting.splice(0).map((worker) => worker.close()));
  }
}

import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals } from '../../../shared/model/measurements.ts';
import type { Workload } from '../../../shared/model/workload.ts';
import type {
  CheckOptions,
  Checked,
  LoadClient,
  LoadEvent,
  LoadSpec,
  LoadTarget,
  OpenLoad,
  OpenSpec,
  PrepareTablesOptions,
} from '../load-client.ts';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { answerSchema, parseLine, toLine, type Answer, type Command } from './protocol.ts';

export interface ClientStreams {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  ended: Promise<void>;
}

const READY_MS = 30_000;
const STOP_MS = 1000;
const CLOSE_MS = 5000;
const LAST_WORDS_MS = 300;
const STDERR_LINES = 50;

type WithId = Extract<Command, { id: number }>;
type Question = WithId extends infer C ? (C extends WithId ? Omit<C, 'id'> : never) : never;
type Told = Extract<Answer, { id: number }>;
type Last<T> = Extract<Told, { type: T }>;

/** Once the process is lost, every call rejects with CLIENT_LOST. */
export class CommandedClient implements LoadClient {
  readonly #streams: ClientStreams;
  readonly #listeners = new Map<number, (answer: Told) => void>();
  readonly #stderr: string[] = [];
  readonly #ready: Promise<void>;
  readonly #lost: Promise<never>;
  isLost = false;
  #lastId = 0;

  constructor(streams: ClientStreams) {
    this.#streams = streams;
    let ready = (): void => undefined;
    this.#ready = new Promise((resolve) => (ready = resolve));
    const stderr = createInterface({ input: streams.stderr });
    stderr.on('line', (line) => this.#remember(line));
    const stderrEnded = new Promise<void>((resolve) => stderr.once('close', resolve));
    this.#lost = new Promise((_, reject) => {
      const lose = (reason: string): void => {
        if (this.isLost) return;
        this.isLost = true;
        reject(new BenchmarkError('CLIENT_LOST', { reason }, { evidence: [...this.#stderr] }));
      };
      for (const stream of [streams.stdin, streams.stdout, streams.stderr]) {
        stream.on('error', (error: Error) => lose(error.message));
      }
      createInterface({ input: streams.stdout }).on('line', (line) => {
        if (this.isLost) return;
        const answer = parseLine(answerSchema, line);
        if (answer === undefined) {
          this.#remember(line.slice(0, 500));
          lose('it said something that is no answer');
        } else if (answer.type === 'ready') ready();
        else this.#listeners.get(answer.id)?.(answer);
      });
      const timer = setTimeout(() => lose(`it did not start within ${READY_MS / 1000} s`), READY_MS);
      void this.#ready.then(() => clearTimeout(timer));
      void streams.ended
        .then(() => Promise.race([stderrEnded, wait(LAST_WORDS_MS)]))
        .then(() => {
          clearTimeout(timer);
          lose('it ended');
        });
    });
    this.#lost.catch(() => undefined);
  }

  async open(spec: OpenSpec, signal: AbortSignal): Promise<OpenLoad> {
    const { id: load } = await this.#ask({ type: 'open', spec }, 'opened', signal);
    return {
      slice: async (timing, on, stop) => {
        const { totals } = await this.#ask({ type: 'slice', load, timing }, 'done', stop, (progress) => {
          if (progress.type === 'phase') on({ type: 'phase', phase: progress.phase });
          else if (progress.type === 'window') on({ type: 'window', window: progress.window });
        });
        return totals;
      },
      close: async () => {
        await this.#ask({ type: 'close', load }, 'closed', AbortSignal.timeout(CLOSE_MS));
      },
    };
  }

  async run(
    { warmupMs, durationMs, ...spec }: LoadSpec,
    on: (event: LoadEvent) => void,
    signal: AbortSignal,
  ): Promise<Totals> {
    on({ type: 'phase', phase: 'connect' });
    const load = await this.open(spec, signal);
    try {
      return await load.slice({ warmupMs, durationMs }, on, signal);
    } finally {
      await load.close().catch(() => undefined);
    }
  }

  async check(target: LoadTarget, options: CheckOptions): Promise<Checked> {
    const { path, budgetMs, times, signal } = options;
    const command = { type: 'check', target, path, budgetMs, times } as const;
    return (await this.#ask(command, 'checked', signal)).checked;
  }

  async prepare(target: LoadTarget, workload: Workload, options: PrepareTablesOptions): Promise<void> {
    const { seed, onProgress, signal } = options;
    const command = { type: 'prepare', target, workload, seed } as const;
    await this.#ask(command, 'prepared', signal, (progress) => {
      if (progress.type === 'progress') onProgress(progress.fraction);
    });
  }

  async query(target: LoadTarget, sql: string, signal: AbortSignal) {
    return (await this.#ask({ type: 'query', target, sql }, 'rows', signal)).rows;
  }

  async script(target: LoadTarget, statements: string[], signal: AbortSignal): Promise<number> {
    return (await this.#ask({ type: 'script', target, statements }, 'scripted', signal)).ms;
  }

  async #ask<T extends Told['type']>(
    command: Question,
    last: T,
    signal: AbortSignal,
    on: (answer: Told) => void = () => undefined,
  ): Promise<Last<T>> {
    const id = ++this.#lastId;
    let stop = (): void => undefined;
    let unanswered: NodeJS.Timeout | undefined;
    const isLast = (answer: Told): answer is Last<T> => answer.type === last;
    const answered = new Promise<Last<T>>((resolve, reject) => {
      this.#listeners.set(id, (answer) => {
        // A client that ends first stops its work.
        if (answer.type === 'failed' && answer.error.code === 'STOPPED' && !signal.aborted) return;
        if (answer.type === 'failed') reject(BenchmarkError.fromData(answer.error));
        else if (isLast(answer)) resolve(answer);
        else on(answer);
      });
    });
    const stopped = new Promise<never>((_, reject) => {
      stop = () => {
        this.#send({ type: 'stop', id });
        unanswered = setTimeout(() => reject(new BenchmarkError('STOPPED')), STOP_MS);
      };
    });
    const work = async (): Promise<Last<T>> => {
      await this.#ready;
      if (signal.aborted) throw new BenchmarkError('STOPPED');
      this.#send({ ...command, id });
      return answered;
    };
    if (signal.aborted) throw new BenchmarkError('STOPPED');
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([this.#lost, stopped, work()]);
    } finally {
      clearTimeout(unanswered);
      signal.removeEventListener('abort', stop);
      this.#listeners.delete(id);
    }
  }

  #send(command: Command): void {
    if (this.#streams.stdin.writable) this.#streams.stdin.write(toLine(command));
  }

  #remember(line: string): void {
    this.#stderr.push(line);
    if (this.#stderr.length > STDERR_LINES) this.#stderr.shift();
  }
}

export class HostClient extends CommandedClient {
  readonly close: () => Promise<void>;

  constructor(clientFile: string) {
    const child = spawn(process.execPath, [clientFile], {
      stdio: 'pipe',
      windowsHide: true,
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const ended = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('close', () => resolve());
    });
    super({ ...child, ended });
    this.close = () => {
      child.kill('SIGKILL');
      return ended;
    };
  }
}

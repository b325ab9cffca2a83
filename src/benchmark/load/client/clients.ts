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
import type { Readable, Writable } from 'node:stream';
import { childEnv } from '../../host/host-source.ts';
import { answerSchema, parseLine, toLine, type Answer, type Command } from './protocol.ts';

/** For any number of trials. Once it is lost, every call rejects with CLIENT_LOST. */
export class CommandedClient implements LoadClient {
  readonly #client: ClientConversation;

  constructor(streams: ClientStreams) {
    this.#client = new ClientConversation(streams);
  }

  async open(spec: OpenSpec, signal: AbortSignal): Promise<OpenLoad> {
    const opened = await this.#client.ask({ type: 'open', spec }, signal, () => undefined);
    if (opened.type !== 'opened') throw this.#client.nonsense(opened);
    const load = opened.id;
    return {
      slice: async (timing, on, stop) => {
        const answer = await this.#client.ask({ type: 'slice', load, timing }, stop, (progress) => {
          if (progress.type === 'phase') on({ type: 'phase', phase: progress.phase });
          else if (progress.type === 'window') on({ type: 'window', window: progress.window });
        });
        if (answer.type !== 'done') throw this.#client.nonsense(answer);
        return answer.totals;
      },
      close: async () => {
        await this.#client.ask({ type: 'close', load }, AbortSignal.timeout(CLOSE_MS), () => undefined);
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
    const answer = await this.#client.ask(command, signal, () => undefined);
    if (answer.type !== 'checked') throw this.#client.nonsense(answer);
    return answer.checked;
  }

  async prepare(target: LoadTarget, workload: Workload, options: PrepareTablesOptions): Promise<void> {
    const { seed, onProgress, signal } = options;
    const answer = await this.#client.ask({ type: 'prepare', target, workload, seed }, signal, (progress) => {
      if (progress.type === 'progress') onProgress(progress.fraction);
    });
    if (answer.type !== 'prepared') throw this.#client.nonsense(answer);
  }

  async query(target: LoadTarget, sql: string, signal: AbortSignal) {
    const answer = await this.#client.ask({ type: 'query', target, sql }, signal, () => undefined);
    if (answer.type !== 'rows') throw this.#client.nonsense(answer);
    return answer.rows;
  }

  async script(target: LoadTarget, statements: string[], signal: AbortSignal): Promise<number> {
    const answer = await this.#client.ask({ type: 'script', target, statements }, signal, () => undefined);
    if (answer.type !== 'scripted') throw this.#client.nonsense(answer);
    return answer.ms;
  }

  get isLost(): boolean {
    return this.#client.isLost;
  }

  quit(): void {
    this.#client.quit();
  }
}

export class HostClient extends CommandedClient {
  readonly close: () => Promise<void>;

  constructor(clientFile: string) {
    const child = spawn(process.execPath, [clientFile], {
      stdio: 'pipe',
      windowsHide: true,
      env: { ...childEnv(), ELECTRON_RUN_AS_NODE: '1' },
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

const LAST: ReadonlySet<Answer['type']> = new Set([
  'opened',
  'done',
  'closed',
  'checked',
  'prepared',
  'rows',
  'scripted',
]);

type WithId = Extract<Command, { id: number }>;
type Question = WithId extends infer C ? (C extends WithId ? Omit<C, 'id'> : never) : never;
type Told = Extract<Answer, { id: number }>;

class ClientConversation {
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
        .then(() => Promise.race([stderrEnded, delay(LAST_WORDS_MS)]))
        .then(() => {
          clearTimeout(timer);
          lose('it ended');
        });
    });
    this.#lost.catch(() => undefined);
  }

  /** Resolves with the last answer; `on` gets the earlier ones. */
  async ask(command: Question, signal: AbortSignal, on: (answer: Told) => void): Promise<Told> {
    const id = ++this.#lastId;
    let stop = (): void => undefined;
    let unanswered: NodeJS.Timeout | undefined;
    const answered = new Promise<Told>((resolve, reject) => {
      this.#listeners.set(id, (answer) => {
        if (answer.type === 'failed') reject(BenchmarkError.fromData(answer.error));
        else if (LAST.has(answer.type)) resolve(answer);
        else on(answer);
      });
    });
    const stopped = new Promise<never>((_, reject) => {
      stop = () => {
        this.#send({ type: 'stop', id });
        unanswered = setTimeout(() => reject(new BenchmarkError('STOPPED')), STOP_MS);
      };
    });
    const work = async (): Promise<Told> => {
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

  quit(): void {
    this.#send({ type: 'quit' });
  }

  nonsense(answer: Answer): BenchmarkError {
    return new BenchmarkError('CLIENT_LOST', { reason: `it answered “${answer.type}”` });
  }

  #send(command: Command): void {
    if (this.#streams.stdin.writable) this.#streams.stdin.write(toLine(command));
  }

  #remember(line: string): void {
    this.#stderr.push(line);
    if (this.#stderr.length > STDERR_LINES) this.#stderr.shift();
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals } from '../../../shared/model/measurements.ts';
import type { LoadDriver, LoadEvent, LoadSpec, LoadTarget } from '../driver.ts';
import { checkConnection, type Checked, type CheckOptions } from './connection-check.ts';
import { runNodeLoad } from './coordinator.ts';
import { answerSchema, parseLine, type ClientAnswer, type Command } from './protocol.ts';

/** The Node driver with its client on this machine: worker threads of this process. */
export class HostNodeDriver implements LoadDriver {
  readonly #workerFile: string;

  constructor(options: { workerFile: string }) {
    this.#workerFile = options.workerFile;
  }

  run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals> {
    return runNodeLoad(spec, on, signal, { workerFile: this.#workerFile });
  }

  check(target: LoadTarget, options: CheckOptions): Promise<Checked> {
    return checkConnection(target, options);
  }
}

/** The standard streams of a load client somewhere else; a runtime's `Attachment` is one. */
export interface ClientStreams {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  ended: Promise<void>;
}

interface Pending {
  on: (answer: ClientAnswer) => void;
  fail: (error: BenchmarkError) => void;
}

type WithoutId<C> = C extends { id: number } ? Omit<C, 'id'> : never;

/** The Node driver with its client in a container: the same load, commanded by lines over stdin and stdout. */
export class ContainerNodeDriver implements LoadDriver {
  readonly #streams: ClientStreams;
  readonly #pending = new Map<number, Pending>();
  readonly #stderr: string[] = [];
  #next = 1;
  #lost: BenchmarkError | undefined;

  constructor(streams: ClientStreams) {
    this.#streams = streams;
    streams.stdin.on('error', (error: Error) => this.#lose(error.message));
    createInterface({ input: streams.stderr }).on('line', (line) => {
      this.#stderr.push(line);
      if (this.#stderr.length > 50) this.#stderr.shift();
    });
    createInterface({ input: streams.stdout }).on('line', (line) => {
      const answer = parseLine(answerSchema, line);
      if (answer === undefined) this.#stderr.push(line);
      else if ('id' in answer) this.#pending.get(answer.id)?.on(answer);
    });
    void streams.ended.then(() => this.#lose('the client container ended'));
  }

  async run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals> {
    const answer = await this.#ask({ type: 'run', spec }, signal, (told) => {
      if (told.type === 'phase') on({ type: 'phase', phase: told.phase });
      else if (told.type === 'window') on({ type: 'window', window: told.window });
    });
    if (answer.type !== 'done') throw this.#nonsense(answer);
    return answer.totals;
  }

  async check(target: LoadTarget, options: CheckOptions): Promise<Checked> {
    const { path, budgetMs, times, signal } = options;
    const answer = await this.#ask({ type: 'check', target, path, budgetMs, times }, signal, () => undefined);
    if (answer.type !== 'checked') throw this.#nonsense(answer);
    return answer.checked;
  }

  /** Sends a command and resolves with its last answer. */
  #ask(
    command: WithoutId<Command>,
    signal: AbortSignal,
    on: (answer: ClientAnswer) => void,
  ): Promise<ClientAnswer> {
    const id = this.#next++;
    const stop = (): void => {
      this.#send({ type: 'stop', id });
      this.#pending.get(id)?.fail(new BenchmarkError('STOPPED'));
    };
    return new Promise<ClientAnswer>((resolve, reject) => {
      if (this.#lost !== undefined) {
        reject(this.#lost);
        return;
      }
      if (signal.aborted) {
        reject(new BenchmarkError('STOPPED'));
        return;
      }
      this.#pending.set(id, {
        on: (answer) => {
          if (answer.type === 'failed') reject(BenchmarkError.fromData(answer.error));
          else if (answer.type === 'done' || answer.type === 'checked') resolve(answer);
          else on(answer);
        },
        fail: reject,
      });
      signal.addEventListener('abort', stop, { once: true });
      this.#send({ ...command, id });
    }).finally(() => {
      signal.removeEventListener('abort', stop);
      this.#pending.delete(id);
    });
  }

  #send(command: Command): void {
    this.#streams.stdin.write(`${JSON.stringify(command)}\n`);
  }

  #lose(reason: string): void {
    this.#lost ??= new BenchmarkError('CLIENT_LOST', { reason }, { evidence: [...this.#stderr] });
    for (const pending of this.#pending.values()) pending.fail(this.#lost);
  }

  #nonsense(answer: ClientAnswer): BenchmarkError {
    return new BenchmarkError('CLIENT_LOST', { reason: `unexpected answer “${answer.type}”` });
  }
}

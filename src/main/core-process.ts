import { BenchmarkError, toErrorData } from '../shared/errors.ts';
import {
  coreMessageSchema,
  type CoreEvent,
  type CoreMessage,
  type Envelope,
} from '../shared/contract/ipc.ts';

export interface CoreChild {
  postMessage(message: CoreMessage): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
  stderr: NodeJS.ReadableStream | null;
}

export interface CoreProcessOptions {
  fork(): CoreChild;
  onEvent(event: CoreEvent): void;
  onExit?(exit: { code: number; lastWords: string[]; expected: boolean }): void;
  now?(): number;
}

/** After so many crashes in this time, only a request restarts the process. */
const CRASHES_TOLERATED = 3;
const CRASH_PERIOD_MS = 60_000;
const LAST_WORDS_CHARS = 4_000;

/** An ended process is restarted; its requests get CORE_LOST. */
export class CoreProcess {
  readonly #options: CoreProcessOptions;
  readonly #pending = new Map<number, (envelope: Envelope) => void>();
  #child: CoreChild | undefined;
  #lastId = 0;
  #crashes: number[] = [];
  #lastWords = '';
  #closing = false;

  constructor(options: CoreProcessOptions) {
    this.#options = options;
  }

  request(name: string, params: unknown): Promise<Envelope> {
    if (this.#closing) return Promise.resolve(lost([]));
    const child = this.start();
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      child.postMessage({ kind: 'request', id, name, params });
    });
  }

  start(): CoreChild {
    return this.#child ?? this.#startChild();
  }

  /** Within `timeoutMs` the process may still clean up. */
  async shutDown(timeoutMs: number): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.request('core:shut-down', {}), timeout]);
    clearTimeout(timer);
    this.#closing = true;
    child.kill();
  }

  #startChild(): CoreChild {
    const child = this.#options.fork();
    this.#child = child;
    this.#lastWords = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-LAST_WORDS_CHARS);
    });
    child.on('message', (message) => this.#receive(message));
    child.on('exit', (code) => this.#exited(child, code));
    return child;
  }

  #receive(raw: unknown): void {
    const parsed = coreMessageSchema.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.kind === 'event') this.#options.onEvent(message.event);
    if (message.kind === 'answer') {
      this.#pending.get(message.id)?.(message.envelope);
      this.#pending.delete(message.id);
    }
  }

  #exited(child: CoreChild, code: number): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    const lastWords = this.#lastWords.split('\n').filter((line) => line !== '');
    this.#options.onExit?.({ code, lastWords, expected: this.#closing });
    const evidence = [`exit code ${code}`, ...lastWords];
    for (const resolve of pending) resolve(lost(evidence));
    if (this.#closing) return;

    const now = (this.#options.now ?? Date.now)();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASH_PERIOD_MS), now];
    if (this.#crashes.length < CRASHES_TOLERATED) this.#startChild();
    this.#options.onEvent({ type: 'core-status', status: 'restarted' });
  }
}

function lost(evidence: string[]): Envelope {
  return { ok: false, error: toErrorData(new BenchmarkError('CORE_LOST', {}, { evidence })) };
}

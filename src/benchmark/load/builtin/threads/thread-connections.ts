import { randomInt } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import { CAN_BLOCK } from '../../blocking.ts';
import { createRandom } from '../../../random.ts';
import { loginsAtOnce } from '../logins.ts';
import { threadIds } from '../meters.ts';
import type { StatementTimes } from '../statement-times.ts';
import type { Connections, WorkerShare } from '../transport.ts';
import type { SliceTiming } from '../../load-client.ts';
import type { PartRecorder, RecorderOptions } from '../windows.ts';
import { isBracketed, preparedStatements, transactions } from '../oltp/transactions.ts';
import { WireSession } from '../wire/session.ts';
import { Batches } from './batches.ts';
import { SharedCounts } from './shared-counts.ts';
import type { ThreadCommand, ThreadMessage, ThreadTask } from './thread-main.ts';
import exchange from './wasm/exchange.ts?wasm';
import threadProgram from './thread-main.ts?program';

export class CantBlock extends Error {}

const LIMITS = { maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

let compiled: WebAssembly.Module | undefined;

function exchangeProgram(): WebAssembly.Module {
  return (compiled ??= new WebAssembly.Module(Buffer.from(exchange, 'base64')));
}

/** Threads are kept for the next load with their compiled code. */
export class ThreadConnections implements Connections {
  readonly recording: RecorderOptions;
  readonly #share: WorkerShare;
  readonly #workload: OltpWorkload;
  readonly #counts: SharedCounts;
  readonly #sessions: WireSession[] = [];
  readonly #threads: Thread[] = [];
  #startMs = 0;
  #isCut: () => void = () => undefined;
  readonly #cut = new Promise<false>((resolve) => (this.#isCut = () => resolve(false)));

  constructor(share: WorkerShare, workload: OltpWorkload, times: StatementTimes) {
    this.#share = share;
    this.#workload = workload;
    this.#counts = new SharedCounts(share.count);
    this.recording = {
      spans: () => this.#counts.spans(this.#startMs),
      collect: (position, counts, latencies) => this.#counts.collect(position, counts, latencies, times),
    };
  }

  async connect(connecting: AbortController): Promise<void> {
    if (!CAN_BLOCK) throw new CantBlock();
    const { signal } = connecting;
    const { spec, first, count } = this.#share;
    const { seed } = spec;
    const contentSeed = randomInt(2 ** 32);
    await loginsAtOnce(first, count, connecting, async (connection) => {
      const session = await WireSession.open(spec.target, { signal });
      this.#sessions.push(session);
      for (const sql of preparedStatements(this.#workload)) await session.prepare(sql);
      const blocking = session.block();
      if (blocking === undefined) throw new CantBlock();
      const { memory } = this.#counts;
      const layout = this.#counts.layout(connection - first);
      const draws = { ids: createRandom(seed, connection), content: createRandom(contentSeed, connection) };
      const next = transactions(this.#workload, draws);
      const thread = Thread.take();
      this.#threads.push(thread);
      await thread.open(
        {
          socket: blocking.socket,
          program: exchangeProgram(),
          memory,
          layout,
          rollsBack: isBracketed(this.#workload),
        },
        new Batches(memory, layout, next, blocking.statements),
      );
    });
  }

  async slice(startMs: number, timing: SliceTiming, _: PartRecorder, onCounted: () => void): Promise<void> {
    this.#startMs = startMs;
    this.#counts.begin();
    let counting = this.#threads.length;
    const counted = (): void => {
      counting -= 1;
      if (counting === 0) onCounted();
    };
    const slices = this.#threads.map((thread) => thread.slice(startMs, timing, counted));
    await Promise.race([this.#cut, Promise.all(slices)]);
  }

  get threads(): string[] {
    return this.#threads.flatMap(({ systemId }) => systemId ?? []);
  }

  get uncounted(): number {
    return this.#counts.uncounted;
  }

  drain(): void {
    this.#counts.stop();
  }

  cut(): void {
    this.#isCut();
  }

  async close(): Promise<boolean> {
    this.#counts.stop();
    const ended = Promise.all(this.#threads.map((thread) => thread.end())).then(() => true);
    if (!(await Promise.race([this.#cut, ended]))) return false;
    for (const session of this.#sessions.splice(0)) session.destroy();
    for (const thread of this.#threads.splice(0)) thread.giveBack();
    return true;
  }
}

class Thread {
  static readonly #resting: Thread[] = [];
  readonly #worker: Worker;
  /** Undefined where the system lists no threads. */
  readonly systemId: string | undefined;
  #tell: (message: ThreadMessage) => void = () => undefined;
  #isOpen = false;
  #onPaused: () => void = () => undefined;
  #onCounted: () => void = () => undefined;
  #ended: Promise<void> | undefined;
  #failed: Promise<never> | undefined;

  static take(): Thread {
    return Thread.#resting.pop() ?? new Thread();
  }

  private constructor() {
    const before = threadIds();
    this.#worker = new Worker(threadProgram, {
      eval: true,
      execArgv: ['--no-warnings'],
      resourceLimits: LIMITS,
    });
    this.systemId = [...threadIds()].find((id) => !before.has(id));
    this.#worker.on('message', (message: ThreadMessage) => this.#tell(message));
  }

  open(task: ThreadTask, batches: Batches): Promise<void> {
    this.#isOpen = true;
    let ready = (): void => undefined;
    const prepared = new Promise<void>((resolve) => (ready = resolve));
    let ended = (): void => undefined;
    this.#ended = new Promise((resolve) => (ended = resolve));
    const failed = new Promise<never>((_, reject) => {
      this.#tell = (message) => {
        if (message.type === 'ready') ready();
        else if (message.type === 'sent') batches.fill(message.batch);
        else if (message.type === 'counted') this.#onCounted();
        else if (message.type === 'paused') this.#onPaused();
        else if (message.type === 'failed')
          reject(Object.assign(new Error(message.error.message), message.error));
        else {
          this.#isOpen = false;
          ended();
        }
      };
    });
    failed.catch(() => undefined);
    this.#failed = failed;
    this.#send({ type: 'open', task });
    return Promise.race([prepared, failed]);
  }

  slice(startMs: number, timing: SliceTiming, onCounted: () => void): Promise<void> {
    this.#onCounted = onCounted;
    const paused = new Promise<void>((resolve) => (this.#onPaused = resolve));
    this.#send({ type: 'begin', startMs, ...timing });
    return Promise.race([this.#failed ?? never, this.#ended ?? never, paused]);
  }

  /** The thread ends by itself, since a blocked thread can't be woken. */
  async end(): Promise<void> {
    if (!this.#isOpen) return;
    this.#send({ type: 'end' });
    await this.#ended;
  }

  giveBack(): void {
    Thread.#resting.push(this);
  }

  #send(command: ThreadCommand): void {
    this.#worker.postMessage(command);
  }
}

const never = new Promise<never>(() => undefined);

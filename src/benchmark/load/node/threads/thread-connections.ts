import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import { SqlConnection } from '../connection.ts';
import { loginsAtOnce } from '../logins.ts';
import type { GarbageReport } from '../meters.ts';
import type { StatementTimes } from '../statement-times.ts';
import type { Connections, WorkerShare } from '../transport.ts';
import type { RecorderOptions } from '../windows.ts';
import { SharedCounts } from './shared-counts.ts';
import type { ThreadCommand, ThreadMessage, ThreadTask } from './thread.ts';
import threadProgram from './thread-main.ts?program';

/** Sockets of this system can't block. */
export class CantBlock extends Error {}

/** A thread runs little JavaScript per second: by V8's default, much of it isn't optimized after 10 s. */
const INTERRUPT_BUDGET = 20_000;
const LIMITS = { maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/** A blocking thread per connection. The threads are kept for the next load, with their compiled code. */
export class ThreadConnections implements Connections {
  readonly recording: RecorderOptions;
  readonly #share: WorkerShare;
  readonly #workload: OltpWorkload;
  readonly #counts: SharedCounts;
  readonly #connections: SqlConnection[] = [];
  readonly #threads: Thread[] = [];
  #isCut: () => void = () => undefined;
  readonly #cut = new Promise<false>((resolve) => (this.#isCut = () => resolve(false)));

  constructor(share: WorkerShare, workload: OltpWorkload, times: StatementTimes) {
    this.#share = share;
    this.#workload = workload;
    this.#counts = new SharedCounts(share.count);
    this.recording = {
      collect: (position, counts, latencies) => this.#counts.collect(position, counts, latencies, times),
    };
  }

  /** Also rejects with `CantBlock`. */
  async connect(connecting: AbortController): Promise<void> {
    const { signal } = connecting;
    const { spec, first, count } = this.#share;
    const contentSeed = randomInt(2 ** 32);
    await loginsAtOnce(first, count, connecting, async (connection) => {
      const login = await SqlConnection.open(spec.target, { signal });
      this.#connections.push(login);
      const socket = login.block();
      if (socket === undefined) throw new CantBlock();
      const thread = Thread.take();
      this.#threads.push(thread);
      await thread.open({
        socket,
        memory: this.#counts.memory,
        thread: connection - first,
        workload: this.#workload,
        connection,
        seed: spec.seed,
        contentSeed,
        warmupMs: spec.warmupMs,
        durationMs: spec.durationMs,
      });
    });
  }

  async run(startMs: number): Promise<{ garbage?: GarbageReport }> {
    const ended = await Promise.race([this.#cut, Promise.all(this.#threads.map((one) => one.run(startMs)))]);
    if (ended === false) return {};
    return {
      garbage: {
        gcSeconds: ended.reduce((sum, { gcSeconds }) => sum + gcSeconds, 0),
        gcMaxUs: Math.max(...ended.map(({ gcMaxUs }) => gcMaxUs)),
      },
    };
  }

  cut(): void {
    this.#isCut();
  }

  async close(): Promise<boolean> {
    this.#counts.stop();
    const ended = Promise.all(this.#threads.map((thread) => thread.end())).then(() => true);
    if (!(await Promise.race([this.#cut, ended]))) return false;
    for (const connection of this.#connections.splice(0)) connection.destroy();
    for (const thread of this.#threads.splice(0)) thread.giveBack();
    return true;
  }
}

/** Of this process; it lives as long. */
class Thread {
  static readonly #resting: Thread[] = [];
  readonly #worker: Worker;
  #tell: (message: ThreadMessage) => void = () => undefined;
  #state: 'resting' | 'open' | 'begun' = 'resting';
  #ended: Promise<GarbageReport> | undefined;
  #failed: Promise<never> | undefined;

  static take(): Thread {
    return Thread.#resting.pop() ?? new Thread();
  }

  private constructor() {
    setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
    this.#worker = new Worker(threadProgram, { eval: true, execArgv: [], resourceLimits: LIMITS });
    this.#worker.on('message', (message: ThreadMessage) => this.#tell(message));
  }

  /** Resolves when it is prepared. */
  open(task: ThreadTask): Promise<void> {
    this.#state = 'open';
    let ready = (): void => undefined;
    const prepared = new Promise<void>((resolve) => (ready = resolve));
    let ended: (garbage: GarbageReport) => void = () => undefined;
    this.#ended = new Promise((resolve) => (ended = resolve));
    const failed = new Promise<never>((_, reject) => {
      this.#tell = (message) => {
        if (message.type === 'ready') ready();
        else if (message.type === 'failed')
          reject(Object.assign(new Error(message.error.message), message.error));
        else {
          this.#state = 'resting';
          ended(message.garbage);
        }
      };
    });
    failed.catch(() => undefined);
    this.#failed = failed;
    this.#send({ type: 'open', task });
    return Promise.race([prepared, failed]);
  }

  run(startMs: number): Promise<GarbageReport> {
    this.#state = 'begun';
    this.#send({ type: 'begin', startMs });
    return Promise.race([this.#failed ?? never, this.#ended ?? never]);
  }

  /** Resolves when it has ended by itself: it can't be woken. */
  async end(): Promise<void> {
    if (this.#state === 'open') this.#send({ type: 'begin', startMs: 0 });
    if (this.#state !== 'resting') await this.#ended;
  }

  giveBack(): void {
    Thread.#resting.push(this);
  }

  #send(command: ThreadCommand): void {
    this.#worker.postMessage(command);
  }
}

const never = new Promise<never>(() => undefined);

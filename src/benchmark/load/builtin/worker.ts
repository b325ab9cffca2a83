import { monitorEventLoopDelay } from 'node:perf_hooks';
import { toErrorData, type ErrorData } from '../../../shared/errors.ts';
import type { SliceTiming } from '../load-client.ts';
import type { Transport } from '../../../shared/model/names.ts';
import { CpuMeter, GarbageMeter, type GarbageReport } from './meters.ts';
import { LoopConnections } from './loop.ts';
import { type Part, PartRecorder } from './windows.ts';
import { nowMs } from './counts.ts';
import { loadError } from './sql-error.ts';
import { type EncodedTimes, StatementTimes } from './statement-times.ts';
import { needsOf } from './workloads.ts';
import { CantBlock, ThreadConnections } from './threads/thread-connections.ts';
import type { Connections, WorkerShare } from './transport.ts';

/** `atMs` is by the clock of `nowMs`. */
export type WorkerCommand =
  | { type: 'load'; share: WorkerShare }
  | { type: 'slice'; atMs: number; timing: SliceTiming }
  /** `drain` must follow all workers' `counted`. */
  | { type: 'drain' }
  | { type: 'stop' };

export interface WorkerReport extends GarbageReport, EncodedTimes {
  transport: Transport;
  /** CPU time scaled to the planned duration. */
  cpuSeconds: number;
  /** See `CpuMeter.waiting`. */
  waiting?: number | undefined;
  loopDelayP99Us: number;
  uncounted: number;
  /** Transactions outlasted `IN_FLIGHT_MS`, so connections are gone. */
  isCut: boolean;
}

export type WorkerMessage =
  | { type: 'connected' }
  | { type: 'part'; part: Part }
  | { type: 'counted' }
  | ({ type: 'sliced' } & WorkerReport)
  | { type: 'failed'; error: ErrorData }
  | { type: 'rested' };

const LOOP_RESOLUTION_MS = 10;
/** Larger jumps of the wall clock are sleep. */
const CLOCK_JUMP_MS = 1000;
/** Threads pass on no transactions that would show a pause. */
const LOOK_MS = 250;
const IN_FLIGHT_MS = 5000;

type Tell = (message: WorkerMessage) => void;

class LoadWorker {
  readonly #post: Tell;
  readonly #data: WorkerShare;
  #connecting = new AbortController();
  readonly #times = new StatementTimes();
  #connections: Connections;
  #transport: Transport;
  #stopped = false;
  #connected = false;
  #stop: () => void = () => undefined;

  constructor(tell: Tell, data: WorkerShare) {
    this.#post = tell;
    this.#data = data;
    const { transport, workload } = data.spec;
    const isThreaded = transport === 'threads' && workload.kind !== 'tpcc';
    this.#transport = isThreaded ? 'threads' : 'loop';
    this.#connections = isThreaded
      ? new ThreadConnections(data, workload, this.#times)
      : new LoopConnections(data, this.#times);
  }

  async run(): Promise<boolean> {
    const stopped = new Promise<void>((resolve) => (this.#stop = resolve));
    try {
      await this.#connect();
      this.#connected = true;
      this.#post({ type: 'connected' });
    } catch (error) {
      this.#fail(error);
    }
    await stopped;
    return this.#connections.close();
  }

  async slice(startMs: number, timing: SliceTiming): Promise<void> {
    try {
      const report = await this.#load(startMs, timing);
      if (!this.#stopped) this.#post({ type: 'sliced', ...report, ...this.#times.take() });
    } catch (error) {
      this.#fail(error);
    }
  }

  drain(): void {
    this.#connections.drain();
  }

  #fail(error: unknown): void {
    if (!this.#stopped) {
      this.#post({ type: 'failed', error: loadError(error, needsOf(this.#data.spec)).toData() });
    }
    this.#connecting.abort();
    void this.#connections.close();
  }

  stop(): void {
    this.#stopped = true;
    this.#stop();
    if (!this.#connected) this.#connecting.abort();
    void this.#connections.close();
  }

  async #connect(): Promise<void> {
    try {
      await this.#connections.connect(this.#connecting);
    } catch (error) {
      if (!(error instanceof CantBlock)) throw error;
      await this.#connections.close();
      if (this.#stopped) return;
      this.#transport = 'loop';
      this.#connections = new LoopConnections(this.#data, this.#times);
      this.#connecting = new AbortController();
      await this.#connections.connect(this.#connecting);
    }
  }

  async #load(startMs: number, timing: SliceTiming): Promise<Omit<WorkerReport, keyof EncodedTimes>> {
    const { warmupMs, durationMs } = timing;
    const endMs = warmupMs + durationMs;
    const elapsed = (): number => nowMs() - startMs;
    const at = (ms: number, what: () => void): NodeJS.Timeout =>
      setTimeout(what, Math.max(0, Math.ceil(ms - elapsed())));
    const recorder = new PartRecorder(
      timing,
      this.#data.count,
      (part) => {
        this.#times.endWindow(part.phase === 'measure' && !part.interrupted);
        this.#post({ type: 'part', part });
      },
      this.#connections.recording,
    );
    const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    const garbage = new GarbageMeter();
    const cpu = new CpuMeter(this.#connections.threads);
    let ticker: NodeJS.Timeout | undefined;
    // Sleep stops this clock, not the wall clock.
    let offset = Date.now() - nowMs();
    const tick = (): void => {
      const jump = Date.now() - nowMs() - offset;
      offset += jump;
      if (Math.abs(jump) > CLOCK_JUMP_MS) recorder.interrupt(elapsed() - 1000, elapsed());
      recorder.advance(elapsed());
      const { windowEndMs } = recorder;
      const next = elapsed() + LOOK_MS;
      ticker = at(windowEndMs > elapsed() ? Math.min(windowEndMs, next) : next, tick);
    };
    const measuring = at(warmupMs, () => {
      delay.enable();
      garbage.start();
      cpu.start();
    });
    const measured = at(endMs, () => {
      delay.disable();
      garbage.stop();
      cpu.stop();
    });
    let isCut = false;
    const late = at(endMs + IN_FLIGHT_MS, () => {
      isCut = true;
      this.#connections.cut();
    });
    try {
      await new Promise<void>((resolve) => at(0, resolve));
      tick();
      const counted = (): void => this.#post({ type: 'counted' });
      await this.#connections.slice(startMs, timing, recorder, counted);
      counted();
      recorder.finish(elapsed());
      cpu.stop();
      garbage.stop();
      const p99Us = delay.percentile(99) / 1000 - LOOP_RESOLUTION_MS * 1000;
      return {
        transport: this.#transport,
        cpuSeconds: (cpu.cores * durationMs) / 1000,
        waiting: cpu.waiting,
        loopDelayP99Us: this.#transport === 'loop' && delay.max > 0 ? Math.max(0, p99Us) : 0,
        ...garbage.report(startMs + warmupMs),
        uncounted: this.#connections.uncounted,
        isCut,
      };
    } finally {
      for (const timer of [ticker, measuring, measured, late]) clearTimeout(timer);
      delay.disable();
      garbage.stop();
    }
  }
}

export function startWorker(): void {
  const tell: Tell = (message) => void process.send?.(message, () => undefined);
  let worker: LoadWorker | undefined;
  let ended = Promise.resolve(true);
  // process.exit() would wait for blocked threads.
  const kill = (): void => void process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', kill);
  process.on('message', (command: WorkerCommand) => {
    if (command.type === 'load') {
      worker = new LoadWorker(tell, command.share);
      ended = worker.run().catch((error: unknown) => {
        tell({ type: 'failed', error: toErrorData(error) });
        return false;
      });
    } else if (command.type === 'slice') void worker?.slice(command.atMs, command.timing);
    else if (command.type === 'drain') worker?.drain();
    else {
      worker?.stop();
      void ended.then((isAtRest) => {
        if (isAtRest) tell({ type: 'rested' });
        else kill();
      });
    }
  });
}

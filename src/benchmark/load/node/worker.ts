import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { toErrorData, type ErrorData } from '../../../shared/errors.ts';
import type { LoadSpec } from '../load-client.ts';
import { Arrivals, FixedRate, type FixedRateReport } from './rate.ts';
import { clearCounts, emptyCounts, nowMs, type Part, PartRecorder } from './windows.ts';
import { createRandom } from '../../random.ts';
import { loadError } from './sql-error.ts';
import { type EncodedTimes, StatementTimes } from './statement-times.ts';
import { needsOf, openProgram } from './engines.ts';
import type { LoadProgram } from './workload-engine.ts';

/** Of the connections of a load. */
export interface WorkerShare {
  spec: LoadSpec;
  first: number;
  count: number;
}

/** `atMs`: common start by `nowMs`. */
export type WorkerCommand =
  { type: 'load'; share: WorkerShare } | { type: 'begin'; atMs: number } | { type: 'stop' };

export interface WorkerReport extends GarbageReport, EncodedTimes {
  loopDelayP99Us: number;
  fixedRate: FixedRateReport | null;
}

export type WorkerMessage =
  | { type: 'connected' }
  | { type: 'part'; part: Part }
  | ({ type: 'done' } & WorkerReport)
  | { type: 'failed'; error: ErrorData }
  /** After `stop`: ready for another load. */
  | { type: 'rested' };

const LOOP_RESOLUTION_MS = 10;
/** Logins at a time: each costs the server a thread and a key exchange, and its queue is short. */
const LOGINS_AT_ONCE = 8;
/** A difference between wall and steady clock that counts as sleep. */
const CLOCK_JUMP_MS = 1000;
const ARRIVALS_STREAM = 2 ** 20;
/** For a transaction to finish after the end before its connection is cut. */
const IN_FLIGHT_MS = 5000;

class LoadWorker {
  readonly #port: MessagePort;
  readonly #data: WorkerShare;
  readonly #connecting = new AbortController();
  readonly #connections: LoadProgram[] = [];
  readonly #times = new StatementTimes();
  #ending = false;
  #stopped = false;
  #connected = false;
  #begin: (atMs: number | undefined) => void = () => undefined;

  constructor(port: MessagePort, data: WorkerShare) {
    this.#port = port;
    this.#data = data;
  }

  async run(): Promise<void> {
    const begun = new Promise<number | undefined>((resolve) => (this.#begin = resolve));
    try {
      await this.#connect();
      this.#connected = true;
      this.#post({ type: 'connected' });
      const startMs = await begun;
      if (startMs !== undefined) {
        const report = await this.#load(startMs);
        await this.#close();
        if (!this.#stopped) this.#post({ type: 'done', ...report, ...this.#times.encoded() });
      }
    } catch (error) {
      if (!this.#stopped) {
        this.#post({ type: 'failed', error: loadError(error, needsOf(this.#data.spec)).toData() });
      }
      this.#connecting.abort();
    }
    await this.#close();
  }

  begin(atMs: number): void {
    this.#begin(atMs);
  }

  stop(): void {
    this.#stopped = true;
    this.#begin(undefined);
    if (!this.#connected) this.#connecting.abort();
    void this.#close();
  }

  async #connect(): Promise<void> {
    const { spec, first, count } = this.#data;
    const { signal } = this.#connecting;
    setMaxListeners(0, signal);
    const contentSeed = randomInt(2 ** 32);
    let next = first;
    const openSome = async (): Promise<void> => {
      while (next < first + count && !signal.aborted) {
        const number = next++;
        const draws = {
          ids: createRandom(spec.seed, number),
          content: createRandom(contentSeed, number),
        };
        const options = { draws, times: this.#times, connection: number, signal };
        this.#connections.push(await openProgram(spec.target, spec.workload, options));
      }
    };
    await Promise.all(Array.from({ length: Math.min(LOGINS_AT_ONCE, count) }, openSome));
  }

  async #load(startMs: number): Promise<Omit<WorkerReport, keyof EncodedTimes>> {
    const { spec } = this.#data;
    const endMs = spec.warmupMs + spec.durationMs;
    const elapsed = (): number => nowMs() - startMs;
    const at = (ms: number, what: () => void): NodeJS.Timeout =>
      setTimeout(what, Math.max(0, Math.ceil(ms - elapsed())));
    const arrivals = this.#arrivals();
    let fixedRate: FixedRate | undefined;
    const recorder = new PartRecorder(
      spec.warmupMs,
      spec.durationMs,
      (part) => {
        this.#times.endWindow(part.phase === 'measure' && !part.interrupted);
        this.#post({ type: 'part', part });
      },
      arrivals && {
        waiting: () => arrivals.waiting,
        paused: (fromMs, untilMs) => fixedRate?.skip(fromMs, untilMs),
      },
    );
    const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    const garbage = new GarbageMeter();
    let ticker: NodeJS.Timeout | undefined;
    // Sleep stops this clock, but not the wall clock.
    let offset = Date.now() - nowMs();
    const tick = (): void => {
      const jump = Date.now() - nowMs() - offset;
      offset += jump;
      if (Math.abs(jump) > CLOCK_JUMP_MS) recorder.interrupt(elapsed() - 1000, elapsed());
      recorder.advance(elapsed());
      if (recorder.windowEndMs !== undefined) ticker = at(recorder.windowEndMs, tick);
    };
    const measuring = at(spec.warmupMs, () => {
      delay.enable();
      garbage.start();
    });
    const measured = at(endMs, () => {
      delay.disable();
      garbage.stop();
    });
    const late = at(endMs + IN_FLIGHT_MS, () => {
      this.#ending = true;
      for (const program of this.#connections) program.destroy();
    });
    try {
      await new Promise<void>((resolve) => at(0, resolve));
      tick();
      let held: FixedRateReport | null = null;
      if (arrivals === undefined) {
        const driven = this.#connections.map((program) => this.#drive(program, recorder, elapsed, endMs));
        await Promise.all(driven);
      } else {
        const { warmupMs } = spec;
        const isEnding = (): boolean => this.#ending;
        const programs = this.#connections;
        fixedRate = new FixedRate({ programs, arrivals, recorder, elapsed, warmupMs, endMs, isEnding });
        held = await fixedRate.run();
      }
      recorder.advance(elapsed());
      const p99Us = delay.percentile(99) / 1000 - LOOP_RESOLUTION_MS * 1000;
      return {
        loopDelayP99Us: delay.max > 0 ? Math.max(0, p99Us) : 0,
        ...garbage.report(),
        fixedRate: held,
      };
    } finally {
      for (const timer of [ticker, measuring, measured, late]) clearTimeout(timer);
      delay.disable();
      garbage.stop();
    }
  }

  /** This worker's share: parts of a Poisson process are Poisson processes. */
  #arrivals(): Arrivals | undefined {
    const { spec, first, count } = this.#data;
    if (spec.rate === undefined) return undefined;
    return new Arrivals(
      (spec.rate * count) / spec.connections,
      createRandom(spec.seed, ARRIVALS_STREAM + first),
    );
  }

  #drive(program: LoadProgram, recorder: PartRecorder, elapsed: () => number, endMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const counts = emptyCounts();
      let began = elapsed();
      const goOn = (): void => {
        if (this.#ending || began >= endMs) resolve();
        else program.run(counts, done);
      };
      const done = (error?: unknown): void => {
        if (error !== undefined) {
          if (this.#ending) resolve();
          else reject(error);
          return;
        }
        const now = elapsed();
        recorder.record(now, (now - began) * 1000, counts);
        clearCounts(counts);
        began = now;
        goOn();
      };
      goOn();
    });
  }

  async #close(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#connections.map((program) => program.close()));
  }

  #post(message: WorkerMessage): void {
    this.#port.postMessage(message);
  }
}

/** Loads one after the other, as the coordinator in the same process asks for. */
export function startWorker(): void {
  const port = parentPort;
  if (port === null) throw new Error('not a worker thread');
  const tell = (message: WorkerMessage): void => port.postMessage(message);
  let worker: LoadWorker | undefined;
  let ended = Promise.resolve();
  port.on('message', (command: WorkerCommand) => {
    if (command.type === 'load') {
      worker = new LoadWorker(port, command.share);
      ended = worker.run().catch((error: unknown) => tell({ type: 'failed', error: toErrorData(error) }));
    } else if (command.type === 'begin') worker?.begin(command.atMs);
    else {
      worker?.stop();
      void ended.then(() => tell({ type: 'rested' }));
    }
  });
}

interface GarbageReport {
  gcSeconds: number;
  gcMaxUs: number;
}

class GarbageMeter {
  #totalMs = 0;
  #longestMs = 0;
  readonly #observer = new PerformanceObserver((list) => this.#add(list.getEntries()));

  start(): void {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.#add(this.#observer.takeRecords());
    this.#observer.disconnect();
  }

  report(): GarbageReport {
    return { gcSeconds: this.#totalMs / 1000, gcMaxUs: this.#longestMs * 1000 };
  }

  #add(entries: readonly { duration: number }[]): void {
    for (const { duration } of entries) {
      this.#totalMs += duration;
      this.#longestMs = Math.max(this.#longestMs, duration);
    }
  }
}

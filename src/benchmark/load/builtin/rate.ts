import { Worker } from 'node:worker_threads';
import { type PartRecorder } from './windows.ts';
import { clearCounts, type Counts, emptyCounts } from './counts.ts';
import type { LoadProgram } from './workload-kind.ts';
import {
  createHistogram,
  type Histogram,
  recordLatency,
  summarizeHistogram,
} from '../../../shared/histogram/histogram.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';
import type { Random } from '../../random.ts';

interface FixedRateOptions {
  programs: readonly LoadProgram[];
  arrivals: Arrivals;
  recorder: PartRecorder;
  elapsed: () => number;
  warmupMs: number;
  endMs: number;
  isEnding: () => boolean;
}

export interface FixedRateReport {
  arrivals: number;
  /** A free connection's delay, 99th percentile, µs: the client's own part. */
  lateP99Us: number;
}

interface Connection {
  program: LoadProgram;
  counts: Counts;
}

/**
 * An open loop: transactions start when planned, or as soon as a connection is free. Latency counts from the
 * planned start, so a stalling server can't hide it (Schroeder, Wierman, and Harchol-Balter 2006, "Open versus
 * closed: a cautionary tale").
 */
export class FixedRate {
  readonly #options: FixedRateOptions;
  readonly #free: Connection[];
  readonly #late: Histogram = createHistogram();
  readonly #metronome = new Metronome(() => this.#startDue());
  #running = 0;
  #planned = 0;
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(options: FixedRateOptions) {
    this.#options = options;
    this.#free = options.programs.map((program) => ({ program, counts: emptyCounts() }));
  }

  async run(): Promise<FixedRateReport> {
    const { elapsed, endMs } = this.#options;
    const end = setTimeout(() => this.#endIfDone(), Math.max(0, Math.ceil(endMs - elapsed())));
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject };
        this.#startDue();
      });
    } finally {
      clearTimeout(end);
      await this.#metronome.close();
    }
    return { arrivals: this.#planned, lateP99Us: summarizeHistogram(this.#late)?.p99Us ?? 0 };
  }

  skip(fromMs: number, untilMs: number): void {
    const skipped = this.#options.arrivals.skip(fromMs, untilMs);
    if (untilMs > this.#options.warmupMs) this.#planned = Math.max(0, this.#planned - skipped);
  }

  #startDue(freed?: Connection): void {
    const { arrivals, recorder, elapsed, warmupMs, endMs, isEnding } = this.#options;
    const now = elapsed();
    recorder.advance(now);
    const due = arrivals.advance(Math.min(now, endMs));
    if (now >= warmupMs) this.#planned += due;
    if (freed !== undefined) this.#free.push(freed);
    if (now >= endMs || isEnding()) {
      this.#endIfDone();
      return;
    }
    for (let connection = this.#free.pop(); connection !== undefined; connection = this.#free.pop()) {
      const planned = arrivals.take();
      if (planned === undefined) {
        this.#free.push(connection);
        break;
      }
      if (freed === undefined && now >= warmupMs) recordLatency(this.#late, (now - planned) * 1000);
      this.#start(connection, planned);
    }
    this.#metronome.wakeIn(Math.min(arrivals.nextMs, endMs) - elapsed());
  }

  #start(connection: Connection, plannedMs: number): void {
    const { recorder, elapsed, endMs, isEnding } = this.#options;
    const { program, counts } = connection;
    this.#running += 1;
    program.run(counts, (error) => {
      this.#running -= 1;
      if (error !== undefined) {
        if (isEnding()) this.#endIfDone();
        else this.#settle?.reject(error);
        return;
      }
      const now = elapsed();
      if (now < endMs) recorder.record(now, (now - plannedMs) * 1000, counts);
      clearCounts(counts);
      this.#startDue(connection);
    });
  }

  #endIfDone(): void {
    const { elapsed, endMs, isEnding } = this.#options;
    if (this.#running === 0 && (isEnding() || elapsed() >= endMs)) this.#settle?.resolve();
  }
}

const SLEEPER = `
const { parentPort } = require('node:worker_threads');
const never = new Int32Array(new SharedArrayBuffer(4));
parentPort.on('message', (ms) => {
  Atomics.wait(never, 0, 0, ms);
  parentPort.postMessage(0);
});`;
const LONGEST_MS = 200;

/** Wakes without spinning: Node's timers have whole milliseconds and are up to one late. */
class Metronome {
  readonly #sleeper = new Worker(SLEEPER, { eval: true, execArgv: [] });
  #asleep = false;

  constructor(onWake: () => void) {
    this.#sleeper.on('message', () => {
      this.#asleep = false;
      onWake();
    });
  }

  wakeIn(ms: number): void {
    if (this.#asleep) return;
    this.#asleep = true;
    this.#sleeper.postMessage(Math.min(LONGEST_MS, Math.max(0, ms)));
  }

  async close(): Promise<void> {
    await this.#sleeper.terminate();
  }
}

/** Backlog at which a trial is hopeless. */
const HOPELESS_S = 5;
/** Backlog at the end with which no rate was held … */
const BEHIND_S = 1;
/** … if less than this share was done. */
const DONE = 0.97;

export class HeldRate {
  readonly lost: Promise<never>;
  readonly #perSecond: number;
  #lose: (error: BenchmarkError) => void = () => undefined;
  #transactions = 0;
  #ms = 0;
  #measured = 0;
  #waiting = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.lost = new Promise<never>((_, reject) => (this.#lose = reject));
    this.lost.catch(() => undefined);
  }

  see({ phase, transactions, durationMs, waiting }: Window): void {
    this.#transactions += transactions;
    this.#ms += durationMs;
    if (phase === 'measure') this.#measured += transactions;
    this.#waiting = waiting ?? 0;
    if (this.#waiting > HOPELESS_S * this.#perSecond) this.#lose(this.#error());
  }

  report(
    reports: readonly { fixedRate: FixedRateReport | null }[],
    mostWaiting: number | null,
  ): NonNullable<Totals['fixedRate']> {
    const held = reports.flatMap(({ fixedRate }) => fixedRate ?? []);
    const arrivals = held.reduce((sum, one) => sum + one.arrivals, 0);
    if (this.#waiting > BEHIND_S * this.#perSecond && this.#measured < DONE * arrivals) throw this.#error();
    return {
      perSecond: this.#perSecond,
      arrivals,
      mostWaiting: mostWaiting ?? 0,
      lateP99Us: Math.max(...held.map(({ lateP99Us }) => lateP99Us)),
    };
  }

  #error(): BenchmarkError {
    const done = this.#ms > 0 ? (this.#transactions * 1000) / this.#ms : 0;
    return new BenchmarkError('RATE_NOT_HELD', {
      rate: String(this.#perSecond),
      done: done.toFixed(done < 10 ? 1 : 0),
      seconds: String(Math.round(this.#ms / 1000)),
      waiting: String(this.#waiting),
    });
  }
}

/** A Poisson process: intervals are −ln(1 − u)/λ for uniform u. Due starts are served in order. */
export class Arrivals {
  readonly #perMs: number;
  readonly #random: Random;
  #next: number;
  #due: number[] = [];
  #taken = 0;

  constructor(perSecond: number, random: Random) {
    this.#perMs = perSecond / 1000;
    this.#random = random;
    this.#next = this.#gap();
  }

  get nextMs(): number {
    return this.#next;
  }

  get waiting(): number {
    return this.#due.length - this.#taken;
  }

  advance(nowMs: number): number {
    let count = 0;
    for (; this.#next <= nowMs; this.#next += this.#gap(), count++) this.#due.push(this.#next);
    return count;
  }

  take(): number | undefined {
    const planned = this.#due[this.#taken];
    if (planned === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken > 1000 && 2 * this.#taken > this.#due.length) {
      this.#due = this.#due.slice(this.#taken);
      this.#taken = 0;
    }
    return planned;
  }

  skip(fromMs: number, untilMs: number): number {
    const before = this.waiting;
    this.#due = this.#due.slice(this.#taken).filter((planned) => planned < fromMs || planned >= untilMs);
    this.#taken = 0;
    while (this.#next < untilMs) this.#next += this.#gap();
    return before - this.waiting;
  }

  #gap(): number {
    return -Math.log(1 - this.#random()) / this.#perMs;
  }
}

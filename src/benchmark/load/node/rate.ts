import { Worker } from 'node:worker_threads';
import { clearCounts, type Counts, emptyCounts, type PartRecorder } from './windows.ts';
import type { LoadProgram } from './workload-engine.ts';
import {
  createHistogram,
  type Histogram,
  recordLatency,
  summariseHistogram,
} from '../../../shared/histogram/histogram.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';
import type { Random } from '../../random.ts';

/** What a worker's connections have to hold. */
interface FixedRateOptions {
  programs: readonly LoadProgram[];
  arrivals: Arrivals;
  recorder: PartRecorder;
  /** ms since the start of the warm-up. */
  elapsed: () => number;
  warmupMs: number;
  endMs: number;
  /** True when a connection that fails was ended by us. */
  isEnding: () => boolean;
}

/** What became of the plan while measuring. */
export interface FixedRateReport {
  /** Planned starts. */
  arrivals: number;
  /** How late a transaction was sent although a connection was free, 99th percentile, µs: the client's own part. */
  lateP99Us: number;
}

interface Connection {
  program: LoadProgram;
  counts: Counts;
}

/**
 * An open loop: transactions begin when they are planned, or as soon as a connection is free after that. Their latency
 * counts from the planned start, so that a server that stalls can't hide it by keeping the client from asking
 * ("coordinated omission"; Schroeder, Wierman and Harchol-Balter 2006, "Open versus closed: a cautionary tale").
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

  /** Resolves after the last answer, with what was planned; rejects with what ended a connection. */
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
    return { arrivals: this.#planned, lateP99Us: summariseHistogram(this.#late)?.p99Us ?? 0 };
  }

  /** What was planned while the client did not run is nobody's transaction. */
  skip(fromMs: number, untilMs: number): void {
    const skipped = this.#options.arrivals.skip(fromMs, untilMs);
    if (untilMs > this.#options.warmupMs) this.#planned = Math.max(0, this.#planned - skipped);
  }

  /** `freed` is a connection that has just become free. */
  #startDue(freed?: Connection): void {
    const { arrivals, recorder, elapsed, warmupMs, endMs, isEnding } = this.#options;
    const now = elapsed();
    // Hears of a pause first, which takes back what was planned in it.
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
    const { recorder, elapsed, isEnding } = this.#options;
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
      recorder.record(now, (now - plannedMs) * 1000, counts);
      clearCounts(counts);
      this.#startDue(connection);
    });
  }

  #endIfDone(): void {
    const { elapsed, endMs, isEnding } = this.#options;
    if (this.#running === 0 && (isEnding() || elapsed() >= endMs)) this.#settle?.resolve();
  }
}

/** Sleeps as long as it is told, then says so. A part of a millisecond is slept, too. */
const SLEEPER = `
const { parentPort } = require('node:worker_threads');
const never = new Int32Array(new SharedArrayBuffer(4));
parentPort.on('message', (ms) => {
  Atomics.wait(never, 0, 0, ms);
  parentPort.postMessage(0);
});`;
/** It asks again after so long, so that whoever ends it never waits longer. */
const LONGEST_MS = 200;

/**
 * Wakes at a moment. Timers of Node know whole milliseconds only, and are late by up to one; that would be a large part
 * of a fast transaction's latency. A thread of its own sleeps here, and nobody has to spin.
 */
class Metronome {
  readonly #sleeper = new Worker(SLEEPER, { eval: true, execArgv: [] });
  #asleep = false;

  /** `onWake` is called at the moment or earlier, and may ask again. */
  constructor(onWake: () => void) {
    this.#sleeper.on('message', () => {
      this.#asleep = false;
      onWake();
    });
  }

  /** Wakes in so many ms, or sooner; does nothing while it sleeps. */
  wakeIn(ms: number): void {
    if (this.#asleep) return;
    this.#asleep = true;
    this.#sleeper.postMessage(Math.min(LONGEST_MS, Math.max(0, ms)));
  }

  async close(): Promise<void> {
    await this.#sleeper.terminate();
  }
}

/** When as many wait as are planned in this time, more time would only make it worse: seconds. */
const HOPELESS_S = 5;
/** A rate was not held when at the end of measuring as many wait as are planned in this time, seconds … */
const BEHIND_S = 1;
/** … and less than this share of what was planned has been done. */
const DONE = 0.97;

/** Watches over all workers' windows whether the server holds the rate. */
export class HeldRate {
  /** Rejects with RATE_NOT_HELD as soon as there is no hope. */
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

  /** Has to see every window. */
  see({ phase, transactions, durationMs, waiting }: Window): void {
    this.#transactions += transactions;
    this.#ms += durationMs;
    if (phase === 'measure') this.#measured += transactions;
    this.#waiting = waiting ?? 0;
    if (this.#waiting > HOPELESS_S * this.#perSecond) this.#lose(this.#error());
  }

  /** After the last window. Throws RATE_NOT_HELD when the server fell behind. */
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

/**
 * The planned starts of transactions at a fixed rate: a Poisson process, so that the time from one to the next is
 * exponentially distributed, −ln(1 − u)/λ for a uniform u. Those that are due wait here, first come, first served.
 */
export class Arrivals {
  readonly #perMs: number;
  readonly #random: Random;
  #next: number;
  #due: number[] = [];
  /** How many of `#due` have been taken. */
  #taken = 0;

  /** `perSecond`: planned starts a second; the first comes some time after 0 ms. */
  constructor(perSecond: number, random: Random) {
    this.#perMs = perSecond / 1000;
    this.#random = random;
    this.#next = this.#gap();
  }

  /** The next planned start that is not due yet, ms. */
  get nextMs(): number {
    return this.#next;
  }

  /** How many that are due wait. */
  get waiting(): number {
    return this.#due.length - this.#taken;
  }

  /** Everything planned until `nowMs` is due from now on; returns how many that are. */
  advance(nowMs: number): number {
    let count = 0;
    for (; this.#next <= nowMs; this.#next += this.#gap(), count++) this.#due.push(this.#next);
    return count;
  }

  /** Planned start of the one that waits longest; undefined when none does. */
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

  /** Takes back what was planned in a time in which nobody could start it; returns how many were due already. */
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

import { randomInt } from 'node:crypto';
import { createRandom } from '../../random.ts';
import { openProgram } from './workloads.ts';
import { loginsAtOnce } from './logins.ts';
import { Arrivals, FixedRate, type FixedRateReport } from './rate.ts';
import { PendingTimes, type StatementTimes } from './statement-times.ts';
import type { Connections, WorkerShare } from './transport.ts';
import type { SliceTiming } from '../load-client.ts';
import { type CountedSpan, type PartRecorder, type RecorderOptions } from './windows.ts';
import { clearCounts, emptyCounts, nowMs } from './counts.ts';
import type { LoadProgram } from './workload-kind.ts';

const ARRIVALS_STREAM = 2 ** 20;

export class LoopConnections implements Connections {
  readonly recording: RecorderOptions;
  /** On Linux the first thread has the process's id. */
  readonly threads = [String(process.pid)];
  uncounted = 0;
  readonly #share: WorkerShare;
  readonly #times: StatementTimes;
  readonly #programs: LoadProgram[] = [];
  readonly #pending: PendingTimes[] = [];
  #arrivals: Arrivals | undefined;
  #slices = 0;
  #fixedRate: FixedRate | undefined;
  #spans: CountedSpan[] = [];
  #isDraining = false;
  #isEnding = false;

  constructor(share: WorkerShare, times: StatementTimes) {
    this.#share = share;
    this.#times = times;
    this.recording =
      share.spec.rate === undefined
        ? { spans: () => this.#spans }
        : {
            waiting: () => this.#arrivals?.waiting ?? 0,
            paused: (fromMs, untilMs) => this.#fixedRate?.skip(fromMs, untilMs),
          };
  }

  async connect(connecting: AbortController): Promise<void> {
    const { signal } = connecting;
    const { spec, first, count } = this.#share;
    const contentSeed = randomInt(2 ** 32);
    await loginsAtOnce(first, count, connecting, async (connection) => {
      const draws = {
        ids: createRandom(spec.seed, connection),
        content: createRandom(contentSeed, connection),
      };
      // At a fixed rate every transaction counts.
      const pending = spec.rate === undefined ? new PendingTimes(this.#times) : undefined;
      const options = { draws, times: pending ?? this.#times, connection, signal };
      this.#programs.push(await openProgram(spec.target, spec.workload, options));
      if (pending !== undefined) this.#pending.push(pending);
    });
  }

  async slice(
    startMs: number,
    { warmupMs, durationMs }: SliceTiming,
    recorder: PartRecorder,
    onCounted: () => void,
  ): Promise<FixedRateReport | null> {
    const endMs = warmupMs + durationMs;
    const elapsed = (): number => nowMs() - startMs;
    const programs = this.#programs;
    const arrivals = (this.#arrivals = arrivalsOf(this.#share, this.#slices++));
    this.#isDraining = false;
    this.uncounted = 0;
    if (arrivals !== undefined) {
      const isEnding = (): boolean => this.#isEnding;
      this.#fixedRate = new FixedRate({ programs, arrivals, recorder, elapsed, warmupMs, endMs, isEnding });
      return this.#fixedRate.run();
    }
    const fromMs = warmupMs === 0 ? elapsed() : undefined;
    this.#spans = programs.map(() => ({ fromMs, untilMs: undefined }));
    let counting = programs.length;
    const counted = (): void => {
      counting -= 1;
      if (counting === 0) onCounted();
    };
    const drives = programs.map((program, index) =>
      this.#drive(program, {
        span: this.#spans[index] ?? {},
        pending: this.#pending[index],
        ...{ recorder, elapsed, warmupMs, endMs, counted },
      }),
    );
    await Promise.all(drives);
    return null;
  }

  drain(): void {
    this.#isDraining = true;
  }

  cut(): void {
    this.#isEnding = true;
    for (const program of this.#programs) program.destroy();
  }

  async close(): Promise<boolean> {
    this.#isEnding = true;
    await Promise.all(this.#programs.map((program) => program.close()));
    return true;
  }

  #drive(
    program: LoadProgram,
    { span, pending, recorder, elapsed, warmupMs, endMs, counted }: Drive,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = emptyCounts();
      let began = elapsed();
      const goOn = (): void => {
        if (this.#isEnding || this.#isDraining) resolve();
        else program.run(sent, done);
      };
      const done = (error?: unknown): void => {
        if (error !== undefined) {
          if (this.#isEnding) resolve();
          else reject(error);
          return;
        }
        const now = elapsed();
        const isCounting = span.fromMs !== undefined;
        const counts = isCounting ? span.untilMs === undefined : now < warmupMs;
        if (counts) recorder.record(now, (now - began) * 1000, sent);
        else this.uncounted += 1;
        pending?.end(counts);
        if (!isCounting && now >= warmupMs) span.fromMs = now;
        if (isCounting && span.untilMs === undefined && now >= endMs) {
          span.untilMs = now;
          counted();
        }
        clearCounts(sent);
        began = now;
        goOn();
      };
      goOn();
    });
  }
}

interface Drive {
  span: Partial<CountedSpan>;
  pending: PendingTimes | undefined;
  recorder: PartRecorder;
  elapsed: () => number;
  warmupMs: number;
  endMs: number;
  counted: () => void;
}

/** This worker's share: parts of a Poisson process are Poisson processes. */
function arrivalsOf({ spec, first, count }: WorkerShare, slice: number): Arrivals | undefined {
  if (spec.rate === undefined) return undefined;
  const random = createRandom(spec.seed, ARRIVALS_STREAM * (1 + slice) + first);
  return new Arrivals((spec.rate * count) / spec.connections, random);
}

import { randomInt } from 'node:crypto';
import { createRandom } from '../../random.ts';
import { openProgram } from './workloads.ts';
import { loginsAtOnce } from './logins.ts';
import { PendingTimes, type StatementTimes } from './statement-times.ts';
import type { Connections, WorkerShare } from './transport.ts';
import type { SliceTiming } from '../load-client.ts';
import type { CountedSpan, PartRecorder, RecorderOptions } from './windows.ts';
import { clearCounts, emptyCounts, nowMs } from './counts.ts';
import type { LoadProgram } from './workload-kind.ts';

export class LoopConnections implements Connections {
  readonly recording: RecorderOptions = { spans: () => this.#spans };
  /** On Linux the first thread has the process's id. */
  readonly threads = [String(process.pid)];
  uncounted = 0;
  readonly #share: WorkerShare;
  readonly #times: StatementTimes;
  readonly #programs: TimedProgram[] = [];
  #spans: CountedSpan[] = [];
  #isDraining = false;
  #isEnding = false;

  constructor(share: WorkerShare, times: StatementTimes) {
    this.#share = share;
    this.#times = times;
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
      const times = new PendingTimes(this.#times);
      const options = { draws, times, connection, signal };
      this.#programs.push({ program: await openProgram(spec.target, spec.workload, options), times });
    });
  }

  async slice(
    startMs: number,
    { warmupMs, durationMs }: SliceTiming,
    recorder: PartRecorder,
    onCounted: () => void,
  ): Promise<void> {
    const endMs = warmupMs + durationMs;
    const elapsed = (): number => nowMs() - startMs;
    this.#isDraining = false;
    this.uncounted = 0;
    const fromMs = warmupMs === 0 ? elapsed() : undefined;
    this.#spans = [];
    let counting = this.#programs.length;
    const counted = (): void => {
      counting -= 1;
      if (counting === 0) onCounted();
    };
    const drives = this.#programs.map((one) => {
      const span: CountedSpan = { fromMs, untilMs: undefined };
      this.#spans.push(span);
      return this.#drive(one, { span, recorder, elapsed, warmupMs, endMs, counted });
    });
    await Promise.all(drives);
  }

  drain(): void {
    this.#isDraining = true;
  }

  cut(): void {
    this.#isEnding = true;
    for (const { program } of this.#programs) program.destroy();
  }

  async close(): Promise<boolean> {
    this.#isEnding = true;
    await Promise.all(this.#programs.map(({ program }) => program.close()));
    return true;
  }

  #drive(
    { program, times }: TimedProgram,
    { span, recorder, elapsed, warmupMs, endMs, counted }: Drive,
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
        times.end(counts);
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

interface TimedProgram {
  program: LoadProgram;
  times: PendingTimes;
}

interface Drive {
  span: CountedSpan;
  recorder: PartRecorder;
  elapsed: () => number;
  warmupMs: number;
  endMs: number;
  counted: () => void;
}

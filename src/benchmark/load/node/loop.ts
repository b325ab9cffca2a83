import { randomInt } from 'node:crypto';
import { createRandom } from '../../random.ts';
import { openProgram } from './engines.ts';
import { loginsAtOnce } from './logins.ts';
import { Arrivals, FixedRate, type FixedRateReport } from './rate.ts';
import type { StatementTimes } from './statement-times.ts';
import type { Connections, WorkerShare } from './transport.ts';
import { type PartRecorder, type RecorderOptions } from './windows.ts';
import { clearCounts, emptyCounts, nowMs } from './counts.ts';
import type { LoadProgram } from './workload-engine.ts';

const ARRIVALS_STREAM = 2 ** 20;

export class LoopConnections implements Connections {
  readonly recording: RecorderOptions;
  readonly #share: WorkerShare;
  readonly #times: StatementTimes;
  readonly #programs: LoadProgram[] = [];
  readonly #arrivals: Arrivals | undefined;
  #fixedRate: FixedRate | undefined;
  #isEnding = false;

  constructor(share: WorkerShare, times: StatementTimes) {
    this.#share = share;
    this.#times = times;
    const arrivals = arrivalsOf(share);
    this.#arrivals = arrivals;
    this.recording =
      arrivals === undefined
        ? {}
        : {
            waiting: () => arrivals.waiting,
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
      const options = { draws, times: this.#times, connection, signal };
      this.#programs.push(await openProgram(spec.target, spec.workload, options));
    });
  }

  async run(startMs: number, recorder: PartRecorder): Promise<{ fixedRate: FixedRateReport | null }> {
    const { warmupMs, durationMs } = this.#share.spec;
    const endMs = warmupMs + durationMs;
    const elapsed = (): number => nowMs() - startMs;
    const programs = this.#programs;
    const arrivals = this.#arrivals;
    if (arrivals === undefined) {
      await Promise.all(programs.map((program) => this.#drive(program, recorder, elapsed, endMs)));
      return { fixedRate: null };
    }
    const isEnding = (): boolean => this.#isEnding;
    this.#fixedRate = new FixedRate({ programs, arrivals, recorder, elapsed, warmupMs, endMs, isEnding });
    return { fixedRate: await this.#fixedRate.run() };
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

  #drive(program: LoadProgram, recorder: PartRecorder, elapsed: () => number, endMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const counts = emptyCounts();
      let began = elapsed();
      const goOn = (): void => {
        if (this.#isEnding || began >= endMs) resolve();
        else program.run(counts, done);
      };
      const done = (error?: unknown): void => {
        if (error !== undefined) {
          if (this.#isEnding) resolve();
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
}

/** This worker's share: parts of a Poisson process are Poisson processes. */
function arrivalsOf({ spec, first, count }: WorkerShare): Arrivals | undefined {
  if (spec.rate === undefined) return undefined;
  const random = createRandom(spec.seed, ARRIVALS_STREAM + first);
  return new Arrivals((spec.rate * count) / spec.connections, random);
}

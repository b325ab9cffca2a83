import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Arrivals, FixedRate } from '../../../../../src/benchmark/load/builtin/rate.ts';
import { type Part, PartRecorder } from '../../../../../src/benchmark/load/builtin/windows.ts';
import { nowMs } from '../../../../../src/benchmark/load/builtin/counts.ts';
import { createRandom } from '../../../../../src/benchmark/random.ts';
import type { LoadProgram } from '../../../../../src/benchmark/load/builtin/workload-kind.ts';
import { decodeHistogram } from '../../../../../src/shared/histogram/histogram.ts';

/** How long the thread that wakes the loop was asked to sleep, ms. */
const slept = vi.hoisted((): number[] => []);

/** The clock stands still while the machine is busy: no transaction is late for another reason than those of the test. */
vi.mock('node:worker_threads', () => ({
  Worker: class {
    #onWake = (): void => undefined;
    #timer: NodeJS.Timeout | undefined;

    on(_: string, onWake: () => void): void {
      this.#onWake = onWake;
    }

    postMessage(ms: number): void {
      slept.push(ms);
      this.#timer = setTimeout(this.#onWake, Math.ceil(ms));
    }

    terminate(): Promise<void> {
      clearTimeout(this.#timer);
      return Promise.resolve();
    }
  },
}));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] }));
afterEach(() => void vi.useRealTimers());

/** A connection whose transactions take so many ms, or as long as a shared stall lasts. */
function connection(takesMs: number, stall?: { untilMs: number; now: () => number }): LoadProgram {
  return {
    prepare: () => Promise.resolve(),
    run: (counts, done) => {
      const stalled = stall === undefined ? 0 : stall.untilMs - stall.now();
      setTimeout(
        () => {
          counts.transactions += 1;
          done();
        },
        Math.max(takesMs, stalled),
      );
    },
    close: () => Promise.resolve(),
    destroy: () => undefined,
  };
}

async function load(options: {
  rate: number;
  durationMs: number;
  programs: (now: () => number) => LoadProgram[];
}) {
  const parts: Part[] = [];
  const { rate, durationMs, programs } = options;
  const startMs = nowMs();
  const elapsed = (): number => nowMs() - startMs;
  const arrivals = new Arrivals(rate, createRandom(1, 0));
  const recorder = new PartRecorder({ warmupMs: 0, durationMs }, 1, (part) => parts.push(part), {
    waiting: () => arrivals.waiting,
  });
  const running = new FixedRate({
    programs: programs(elapsed),
    arrivals,
    recorder,
    elapsed,
    warmupMs: 0,
    endMs: durationMs,
    isEnding: () => false,
  }).run();
  const ended = running.then((report) => {
    recorder.finish(elapsed());
    return { report, tookMs: elapsed() };
  });
  ended.catch(() => undefined);
  await vi.runAllTimersAsync();
  const { report, tookMs } = await ended;
  const transactions = parts.reduce((sum, part) => sum + part.transactions, 0);
  return { parts, report, transactions, tookMs };
}

describe('FixedRate', () => {
  it('begins transactions when they are planned, within a fraction of a millisecond', async () => {
    const { report, transactions, parts } = await load({
      rate: 200,
      durationMs: 1500,
      programs: () => Array.from({ length: 8 }, () => connection(1)),
    });
    expect(report.arrivals).toBeGreaterThan(200);
    expect(transactions).toBeGreaterThanOrEqual(report.arrivals - 8);
    expect(transactions).toBeLessThanOrEqual(report.arrivals);
    expect(parts.map(({ waiting }) => waiting)).toEqual([0, 0]);
    // A timer alone has whole milliseconds.
    expect(slept.filter((ms) => !Number.isInteger(ms)).length).toBeGreaterThan(report.arrivals / 2);
  });

  it('counts what a stall makes wait from its planned start, also what was not even sent', async () => {
    const { transactions, parts } = await load({
      rate: 100,
      durationMs: 2000,
      programs: (now) => [connection(1, { untilMs: 1000, now })],
    });
    const latencies = parts.map(({ histogram }) => decodeHistogram(histogram));
    // The stall lasts until 1000 ms: what was planned at 500 ms waited half a second. A closed loop would have seen
    // one slow transaction.
    const slow = latencies.reduce((sum, one) => sum + countAbove(one, 200_000), 0);
    expect(slow).toBeGreaterThan(50);
    expect(transactions).toBeGreaterThan(150);
    expect(parts[0]?.waiting).toBeGreaterThan(50);
    expect(parts.at(-1)?.waiting).toBeLessThan(10);
  });

  it('ends on time with what waits when the rate can’t be held', async () => {
    const { parts, transactions, report, tookMs } = await load({
      rate: 500,
      durationMs: 1000,
      programs: () => [connection(20)],
    });
    expect(tookMs).toBeLessThan(1500);
    expect(transactions).toBeLessThan(80);
    expect(parts.at(-1)?.waiting).toBeGreaterThan(report.arrivals - 80);
  });

  it('ends with what ended a connection', async () => {
    const broken: LoadProgram = {
      ...connection(1),
      run: (_, done) => queueMicrotask(() => done(new Error('gone'))),
    };
    await expect(load({ rate: 100, durationMs: 1000, programs: () => [broken] })).rejects.toThrow('gone');
  });
});

function countAbove(histogram: ReturnType<typeof decodeHistogram>, us: number): number {
  let below = 0;
  for (let percentile = 0; percentile <= 100; percentile += 0.5) {
    if (histogram.getValueAtPercentile(percentile) < us) below = percentile;
  }
  return (histogram.totalCount * (100 - below)) / 100;
}

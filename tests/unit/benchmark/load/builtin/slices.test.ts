import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nowMs } from '../../../../../src/benchmark/load/builtin/counts.ts';
import { openProgram } from '../../../../../src/benchmark/load/builtin/workloads.ts';
import { LoopConnections } from '../../../../../src/benchmark/load/builtin/loop.ts';
import { StatementTimes } from '../../../../../src/benchmark/load/builtin/statement-times.ts';
import { PartRecorder, type Part } from '../../../../../src/benchmark/load/builtin/windows.ts';
import { createRandom } from '../../../../../src/benchmark/random.ts';
import { decodeHistogram } from '../../../../../src/shared/histogram/histogram.ts';
import { buildSpec } from '../samples.ts';

vi.mock('../../../../../src/benchmark/load/builtin/workloads.ts');
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'hrtime'] }));
afterEach(() => void vi.useRealTimers());

const CONNECTIONS = 8;
const FROZEN_MS = 3000;

/** A load whose transactions take these times; the server is frozen after each slice. */
async function slices(
  latencyMs: () => number,
  count: number,
  durationMs: number,
): Promise<{ parts: Part[]; statements: number }> {
  const all = new StatementTimes();
  vi.mocked(openProgram).mockImplementation((_target, _workload, { times }) =>
    Promise.resolve({
      prepare: () => Promise.resolve(),
      run: (counts, done) => {
        const ms = latencyMs();
        setTimeout(() => {
          times.record('commit', 1000 * ms);
          counts.transactions += 1;
          done();
        }, ms);
      },
      close: () => Promise.resolve(),
      destroy: () => undefined,
    }),
  );
  const spec = buildSpec({ connections: CONNECTIONS, seed: 1 });
  const load = new LoopConnections({ spec, first: 0, count: CONNECTIONS }, all);
  await load.connect(new AbortController());
  const parts: Part[] = [];
  for (let slice = 0; slice < count; slice++) {
    const timing = { warmupMs: 100, durationMs };
    const startMs = nowMs();
    const keep = (part: Part): void => {
      all.endWindow(part.phase === 'measure');
      if (part.phase === 'measure') parts.push(part);
    };
    const recorder = new PartRecorder(timing, CONNECTIONS, keep, load.recording);
    const sliced = load.slice(startMs, timing, recorder, () => load.drain());
    let isOver = false;
    void sliced.then(() => (isOver = true));
    while (!isOver) await vi.advanceTimersToNextTimerAsync();
    recorder.finish(nowMs() - startMs);
    await vi.advanceTimersByTimeAsync(FROZEN_MS);
  }
  return { parts, statements: decodeHistogram(all.take().statements.commit ?? '').totalCount };
}

describe('slices', () => {
  it.each([
    [20, 500, 100],
    [660, 500, 400],
    [1000, 500, 400],
    [900, 2500, 400],
  ])('count the true throughput where a transaction takes about %i ms', async (meanMs, durationMs, count) => {
    const random = createRandom(7, 0);
    const { parts, statements } = await slices(
      () => Math.round(meanMs * (0.5 + random())),
      count,
      durationMs,
    );
    const sum = (pick: (part: Part) => number): number => parts.reduce((all, part) => all + pick(part), 0);
    const perSecond = (sum(({ transactions }) => transactions) * 1000) / sum(({ countedMs }) => countedMs);
    expect((perSecond * meanMs) / 1000).toBeGreaterThan(0.98);
    expect((perSecond * meanMs) / 1000).toBeLessThan(1.02);
    expect(statements).toBe(sum(({ transactions }) => transactions));
    const slowest = Math.max(...parts.map(({ histogram }) => decodeHistogram(histogram).maxValue));
    expect(slowest).toBeLessThan(1600 * meanMs);
  });
});

import { describe, expect, it } from 'vitest';
import { TrialWatch, type Watched } from '../../../../src/benchmark/run/trial-watch.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { Window } from '../../../../src/shared/model/measurements.ts';
import { FAKE_PASSPORT } from '../../fake-runtime.ts';
import { FakeHost, quietHost } from '../interference/fake-host.ts';
import { buildWindow } from '../load/samples.ts';

const PATH = { connectUs: 900, roundTripUs: 80 };
const usage = (cpuSeconds: number, blockWriteBytes: number | null = 0) => ({
  usage: { cpuSeconds, throttledSeconds: 0, blockWriteBytes },
  memoryBytes: 1000 * cpuSeconds,
});

/**
 * A trial whose server answers with these counters (a number is one of questions), and whose container with these
 * figures, one after the other.
 */
function watched(
  counters: (number | Record<string, number> | BenchmarkError)[],
  uses: ReturnType<typeof usage>[] = [],
): Watched {
  return {
    running: { containerId: uses.length === 0 ? undefined : 'c' },
    source: quietHost(),
    runtime: {
      passport: FAKE_PASSPORT,
      containers: {
        usage: () => Promise.resolve(uses.shift()),
        listRunning: () => Promise.resolve([]),
      },
    },
    loadGenerator: {
      query: () => {
        const next = counters.shift() ?? {};
        if (next instanceof BenchmarkError) return Promise.reject(next);
        return Promise.resolve(typeof next === 'number' ? [['Questions', next]] : Object.entries(next));
      },
    },
    target: {},
    signal: new AbortController().signal,
  } as unknown as Watched;
}

const window = (fields: Partial<Window>): Window => ({ ...buildWindow(), ...fields });

describe('the evidence of a trial', () => {
  it('is what counters grew by, over warm-up and measuring', async () => {
    const watch = await TrialWatch.begin(
      watched(
        [
          { Questions: 100, Com_commit: 5 },
          { Questions: 2100, Com_commit: 105, Binlog_cache_use: 3 },
        ],
        [usage(1, 500), usage(3.5, 9500)],
      ),
      PATH,
    );
    await watch.wake();
    watch.see({ type: 'phase', phase: 'warmup' });
    watch.see({ type: 'window', window: window({ phase: 'warmup', transactions: 40 }) });
    watch.see({ type: 'window', window: window({ transactions: 60 }) });
    expect(await watch.end()).toEqual({
      transactions: 100,
      trend: null,
      path: PATH,
      server: { Questions: 2000, Com_commit: 100 },
      container: usage(2.5, 9000).usage,
      memoryBytes: 3500,
      hostBytesWritten: null,
      host: { conditions: [] },
    });
  });

  it('has the throughput of the first and the last third of measuring, without interrupted seconds', async () => {
    const watch = await TrialWatch.begin(watched([]), PATH);
    for (const transactions of [100, 110, 7, 200, 210, 300, 320]) {
      watch.see({ type: 'window', window: window({ transactions, interrupted: transactions === 7 }) });
    }
    expect((await watch.end()).trend).toEqual({ first: 105, last: 310 });
  });

  it('is missing where it can’t be read, and costs no trial', async () => {
    const refused = new BenchmarkError('QUERY_FAILED', { reason: 'x' });
    const watch = await TrialWatch.begin(watched([refused, 1]), PATH);
    await watch.wake();
    expect(await watch.end()).toMatchObject({ server: null, container: null, memoryBytes: null });
  });

  it('has what the whole machine wrote meanwhile', async () => {
    const host = new FakeHost('linux');
    const sectors = (count: number) => host.files.set('/sys/block/vda/stat', `1 2 3 4 5 6 ${count} 8 9`);
    sectors(1000);
    const watch = await TrialWatch.begin({ ...watched([]), source: host }, PATH);
    await watch.wake();
    sectors(1100);
    expect((await watch.end()).hostBytesWritten).toBe(51_200);
  });

  it('counts from what was read before its server was frozen, and reads nothing when that is thawed', async () => {
    const counters = [100, 150];
    const watch = await TrialWatch.begin(watched(counters, [usage(1), usage(2)]), PATH);
    await watch.readAhead();
    await watch.wake(true);
    expect(counters).toHaveLength(1);
    expect(await watch.end()).toMatchObject({ server: { Questions: 50 }, container: { cpuSeconds: 1 } });
  });

  it('rests without waiting for the engine to read its container, which the next load does', async () => {
    let asked = 0;
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const parts = watched([], [usage(1)]);
    parts.runtime.containers.usage = async () => {
      const cpuSeconds = ++asked;
      if (asked === 2) await slow;
      return usage(cpuSeconds);
    };
    const watch = await TrialWatch.begin(parts, PATH);
    await watch.readAhead();
    await watch.wake(true);
    await watch.rest();
    let isAwake = false;
    const woken = watch.wake(true).then(() => (isAwake = true));
    await new Promise(setImmediate);
    expect({ isAwake, asked }).toEqual({ isAwake: false, asked: 2 });
    answer();
    await woken;
    expect(await watch.end()).toMatchObject({ container: { cpuSeconds: 2 } });
  });

  it('takes the quietest quarter of the round trips, after every fourth slice, and counts none of their statements', async () => {
    // After the check, the server has been asked 6 times more.
    const parts = watched([100, 150, 156, 200, 250, 300, 350]);
    const paths = [40, 900].map((roundTripUs) => ({ connectUs: 10 * roundTripUs, roundTripUs }));
    parts.loadGenerator.check = () => Promise.resolve(paths.shift() ?? PATH);
    const watch = await TrialWatch.begin(parts, { connectUs: 8000, roundTripUs: 1200 });
    for (let slice = 0; slice < 5; slice++) {
      await watch.wake(true);
      await watch.rest();
    }
    expect(await watch.end()).toMatchObject({
      path: { connectUs: 400, roundTripUs: 40 },
      server: { Questions: 50 + 44 + 50 + 50 + 50 },
    });
  });

  it('sums up slices, also of another start, and nothing of a slice that was lost', async () => {
    const parts = watched([100, 150, 1, 8], [usage(1), usage(2), usage(3), usage(7)]);
    const watch = await TrialWatch.begin(parts, PATH);
    const slice = async (transactions: number): Promise<void> => {
      await watch.wake(true);
      watch.see({ type: 'window', window: window({ transactions }) });
    };
    await slice(10);
    watch.addUncounted(2);
    await watch.rest();
    // The server still is as it was frozen; this slice's growth isn't read.
    await slice(3);
    watch.pause();
    watch.move({ ...parts, running: { ...parts.running } });
    await slice(20);
    await watch.rest();
    await slice(1);
    watch.pause();
    expect(await watch.end()).toMatchObject({
      transactions: 10 + 2 + 20,
      server: { Questions: 50 + 7 },
      container: { cpuSeconds: 1 + 4 },
    });
  });

  it('reads the counters of a server that no other trial loads once for all slices, also of those that do not count', async () => {
    const counters = [100, 900];
    const parts = { ...watched(counters), hasServerAlone: true };
    parts.loadGenerator.check = () => Promise.resolve(PATH);
    const watch = await TrialWatch.begin(parts, PATH);
    for (const transactions of [10, 20, 30]) {
      await watch.wake(true);
      watch.see({ type: 'window', window: window({ transactions }) });
      if (transactions === 20) watch.pause();
      else await watch.rest();
    }
    expect(counters).toHaveLength(1);
    expect(await watch.end()).toMatchObject({ transactions: 60, server: { Questions: 800 } });
    expect(counters).toHaveLength(0);
  });

  it('says nothing of what the engine does not count', async () => {
    const watch = await TrialWatch.begin(watched([], [usage(1, null), usage(2, 7)]), PATH);
    await watch.wake();
    expect((await watch.end()).container).toMatchObject({ cpuSeconds: 1, blockWriteBytes: null });
  });
});

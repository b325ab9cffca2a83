import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostWatch, windowConditions } from '../../../../src/benchmark/interference/host-watch.ts';
import type { HostSample } from '../../../../src/benchmark/interference/linux-sample.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import type { Window } from '../../../../src/shared/model/measurements.ts';
import { FAKE_PASSPORT, FakeRuntime } from '../../fake-runtime.ts';
import { buildWindow } from '../load/samples.ts';
import { FakeHost } from './fake-host.ts';

const VM: Passport = { ...FAKE_PASSPORT, runtime: { ...FAKE_PASSPORT.runtime, vm: true } };

const windowAt = (phase: Window['phase'], index: number) => ({
  type: 'window' as const,
  window: { ...buildWindow(), phase, index, startMs: index * 1000, durationMs: 1000 },
});

const watchOver = (source: FakeHost, runtime = new FakeRuntime()): Promise<HostWatch> =>
  HostWatch.begin({ source, runtime, engines: [runtime], runId: 'r' });

describe('the watch over a machine', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('ties what it samples to the measured windows, and nothing of the warm-up', async () => {
    const source = new FakeHost();
    source.count({ total: 0, stolen: 0 });
    const watch = await watchOver(source);
    let [total, stolen] = [0, 0];
    /** A second in which others take a share of the CPUs. */
    const second = (share: number, ms = 1000): void => {
      total += ms / 5;
      stolen += (share * ms) / 5;
      source.count({ total, stolen });
      vi.advanceTimersByTime(ms);
    };
    watch.see({ type: 'phase', phase: 'warmup' });
    second(0.5);
    watch.see(windowAt('warmup', 0));
    // The client needs a third of a second for its own; samples continue from where measuring begins.
    second(0.5, 300);
    watch.see({ type: 'phase', phase: 'measure' });
    for (const [index, share] of [0, 0.25, 0, 0.1].entries()) {
      second(share);
      watch.see(windowAt('measure', index));
    }
    const { conditions } = await watch.end();
    expect(conditions).toEqual([{ kind: 'steal', windows: [1, 3], value: 0.25, name: null }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the load, whatever came of it', async () => {
    const watch = await watchOver(new FakeHost());
    watch.see({ type: 'phase', phase: 'measure' });
    expect(vi.getTimerCount()).toBe(1);
    watch.rest();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('looks at other programs only where containers are processes of the same machine', async () => {
    const conditions = async (runtime: FakeRuntime) => {
      const source = new FakeHost();
      source.process(5, 1, 'build', 0);
      const watch = await watchOver(source, runtime);
      vi.advanceTimersByTime(1000);
      source.process(5, 1, 'build', 1000);
      return (await watch.end()).conditions;
    };
    expect(await conditions(new FakeRuntime())).toMatchObject([{ kind: 'others-busy', name: 'build' }]);
    expect(await conditions(new FakeRuntime(VM))).toEqual([]);
  });

  it('costs no trial where nothing can be read', async () => {
    const runtime = new FakeRuntime();
    runtime.failing.set('listRunning', new BenchmarkError('ENGINE_REFUSED'));
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const watch = await watchOver(new FakeHost(platform), runtime);
      watch.see({ type: 'phase', phase: 'measure' });
      expect(await watch.end()).toEqual({ conditions: [] });
    }
  });
});

/** Samples at 10 s, 11 s, …; each step is what grew since the one before. */
function samples(steps: { stolen?: number; stallMs?: number; pages?: number; hot?: number; ms?: number }[]) {
  let last: HostSample = {
    atMs: 10_000,
    cpu: { stolen: 500, total: 100_000 },
    memoryStallUs: 1e6,
    swappedPages: 77,
    throttles: 5,
  };
  const all = [last];
  for (const { stolen = 0, stallMs = 0, pages = 0, hot = 0, ms = 1000 } of steps) {
    last = {
      ...last,
      atMs: last.atMs + ms,
      cpu: { stolen: (last.cpu?.stolen ?? 0) + stolen, total: (last.cpu?.total ?? 0) + ms / 5 },
      memoryStallUs: (last.memoryStallUs ?? 0) + stallMs * 1000,
      swappedPages: (last.swappedPages ?? 0) + pages,
      throttles: (last.throttles ?? 0) + hot,
    };
    all.push(last);
  }
  return all;
}

/** Windows of one second from the first sample on, seen some ms late. */
const windows = (count: number, lateMs = 30) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    beginMs: 10_000 + lateMs + 1000 * index,
    endMs: 11_000 + lateMs + 1000 * index,
  }));

describe('windows and what touched them', () => {
  it('are tied together by time, with the worst that was seen', () => {
    const seen = samples([{}, { stolen: 20 }, {}, { stolen: 60, pages: 300 }, { stallMs: 50, hot: 2 }]);
    expect(windowConditions(seen, windows(5))).toEqual([
      { kind: 'steal', windows: [1, 3], value: 0.3, name: null },
      { kind: 'memory-pressure', windows: [4], value: 0.05, name: null },
      { kind: 'swapping', windows: [3], value: 300, name: null },
      { kind: 'thermal', windows: [4], value: 2, name: null },
    ]);
  });

  it('are not worth a word below the limits', () => {
    expect(windowConditions(samples([{ stolen: 9, stallMs: 49, pages: 255 }]), windows(1))).toEqual([]);
  });

  it('leave out what was before the first window and after the last', () => {
    const seen = samples([{ stolen: 100 }, {}, { stolen: 100 }]);
    expect(windowConditions(seen, windows(1, 1000))).toEqual([]);
  });

  it('are all touched by what one late sample shows', () => {
    const seen = samples([{ ms: 3000, stolen: 100 }, {}]);
    expect(windowConditions(seen, windows(4))).toMatchObject([{ kind: 'steal', windows: [0, 1, 2] }]);
  });
});

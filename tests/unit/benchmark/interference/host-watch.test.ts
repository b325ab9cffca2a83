import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostWatch } from '../../../../src/benchmark/interference/host-watch.ts';
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

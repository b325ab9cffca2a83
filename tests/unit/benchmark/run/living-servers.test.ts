import { describe, expect, it, vi } from 'vitest';
import { LivingServers } from '../../../../src/benchmark/run/servers/living-servers.ts';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import type { RunningServer, TargetServer } from '../../../../src/benchmark/servers/target-server.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';

interface Parts {
  stop?: () => Promise<null>;
  start?: (id: string) => Promise<null>;
  /** Replaces freezing. */
  freeze?: () => Promise<null>;
}

/** Servers that write down what happens to them; `dead` are those that have ended by themselves. */
function bench({ stop, start, freeze }: Parts = {}) {
  const told: string[] = [];
  const events: UntimedEvent[] = [];
  const dead = new Set<string>();
  const died = new BenchmarkError('SERVER_OUT_OF_MEMORY');
  const server = (id: string): TargetServer =>
    ({
      id,
      start: async () => {
        told.push(`${id} starts`);
        await start?.(id);
        dead.delete(id);
        const failed = Promise.reject(died);
        failed.catch(() => undefined);
        return {
          failed,
          isAlive: () => Promise.resolve(!dead.has(id)),
          freezer: {
            freeze: async () => void (await (freeze?.() ?? told.push(`${id} freezes`))),
            thaw: () => Promise.resolve(void told.push(`${id} thaws`)),
          },
          stop: async () => {
            told.push(`${id} stops`);
            await stop?.();
            told.push(`${id} has stopped`);
            return 0;
          },
        } satisfies Partial<RunningServer>;
      },
      halt: () => Promise.resolve(void told.push(`${id} is halted`)),
    }) as unknown as TargetServer;
  const { signal } = new AbortController();
  const living = new LivingServers({ signal, emit: (event) => events.push(event) });
  return { told, events, dead, a: server('a'), b: server('b'), living };
}

describe('a server that runs alone', () => {
  it('is the same for all trials of a round, and never frozen', async () => {
    const { told, dead, a, living } = bench();
    for (let trial = 0; trial < 2; trial++) {
      await living.use(1, [a]);
      await living.get(1, a);
      await living.rest(a);
    }
    expect(told).toEqual(['a starts']);
    await living.use(2, [a]);
    const again = ['a stops', 'a has stopped', 'a starts'];
    expect(told).toEqual(['a starts', ...again]);
    // The server has ended by itself between two trials.
    dead.add('a');
    await living.use(2, [a]);
    expect(told).toEqual(['a starts', ...again, ...again]);
  });

  it('starts while the one before shuts down, and is there only after that has ended', async () => {
    let release = (): void => undefined;
    const held = new Promise<null>((resolve) => (release = () => resolve(null)));
    const { told, a, b, living } = bench({ stop: () => held });
    await living.use(1, [a]);
    let isThere = false;
    const next = living.use(1, [b]).then(() => (isThere = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['a starts', 'a stops', 'b starts']);
    expect(isThere).toBe(false);
    release();
    await next;
    expect(told.at(-1)).toBe('a has stopped');
  });

  it('does not fail because the one before shut down badly, unless the engine is lost', async () => {
    const failing = (code: 'ENGINE_REFUSED' | 'ENGINE_LOST') =>
      bench({ stop: () => Promise.reject(new BenchmarkError(code, { action: 'x', reason: 'y' })) });
    const bad = failing('ENGINE_REFUSED');
    await bad.living.use(1, [bad.a]);
    await bad.living.use(1, [bad.b]);
    await expect(bad.living.get(1, bad.b)).resolves.toBeDefined();
    const lost = failing('ENGINE_LOST');
    await lost.living.use(1, [lost.a]);
    await expect(lost.living.use(1, [lost.b])).rejects.toMatchObject({ code: 'ENGINE_LOST' });
  });

  it('is halted with the one that still shuts down when the engine is back', async () => {
    const { told, a, b, living } = bench({ stop: () => new Promise(() => undefined) });
    await living.use(1, [a]);
    living.endAll();
    expect(await living.halt([b])).toBe(true);
    expect(told.filter((one) => one.endsWith('halted')).sort()).toEqual(['a is halted', 'b is halted']);
  });
});

describe('servers of a group', () => {
  it('are frozen but in their turns, also the first after a pause, when no other runs yet', async () => {
    const { told, a, b, living } = bench();
    await living.use(1, [a, b]);
    for (const one of [a, b, a]) {
      await living.get(1, one);
      await living.rest(one);
    }
    expect(told.slice(2)).toEqual(['a freezes', 'b freezes', 'a thaws', 'a freezes']);
    living.endAll();
    await living.ended();
    expect(living.areDown).toBe(true);
    told.length = 0;
    await living.get(1, a);
    await living.rest(a);
    expect(told).toEqual(['a starts', 'a freezes']);
  });

  it('reject in its turn for one that died while it was frozen, and start it for the next', async () => {
    const { told, dead, a, b, living } = bench();
    await living.use(1, [a, b]);
    await living.rest(a);
    dead.add('a');
    await expect(living.get(1, a)).rejects.toMatchObject({ code: 'SERVER_OUT_OF_MEMORY' });
    living.end(a);
    await expect(living.get(1, a)).resolves.toBeDefined();
    expect(told.filter((one) => one === 'a starts')).toHaveLength(2);
  });

  const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason: 'unable to freeze' });

  it.each([
    [1, [0, 0, 0]],
    [3, [1, 1, 0]],
  ])(
    'are frozen after all when it succeeds after %i refusals, and count as awake until then',
    async (refusals, awake) => {
      let left = refusals;
      const { events, a, b, living } = bench({
        freeze: () => (left-- > 0 ? Promise.reject(refused) : Promise.resolve(null)),
      });
      await living.use(1, [a, b]);
      await living.rest(a);
      const seen = [living.awakeBeside(b)];
      for (let turn = 0; turn < 2; turn++) {
        await living.get(1, b);
        seen.push(living.awakeBeside(b));
      }
      expect(seen).toEqual(awake);
      expect(events).toEqual([]);
    },
  );

  it('are left as they are for a minute after three turns of refusals, each on its own', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      let attempts = 0;
      let isRefused = true;
      const { events, a, b, living } = bench({
        freeze: () => {
          attempts += 1;
          return isRefused ? Promise.reject(refused) : Promise.resolve(null);
        },
      });
      await living.use(1, [a, b]);
      await living.rest(a);
      for (let turn = 0; turn < 9; turn++) await living.get(1, b);
      expect(attempts).toBe(4);
      expect(events).toMatchObject([{ notice: { code: 'NOT_FROZEN' } }]);
      isRefused = false;
      vi.advanceTimersByTime(59_000);
      await living.get(1, b);
      expect(living.awakeBeside(b)).toBe(1);
      await living.rest(b);
      expect(living.awakeBeside(a)).toBe(0);
      vi.advanceTimersByTime(2_000);
      await living.get(1, b);
      expect(living.awakeBeside(b)).toBe(0);
      expect(events).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('go on being frozen when one can’t be because it has ended', async () => {
    let isRefused = true;
    const { told, events, dead, a, b, living } = bench({
      freeze: () => (isRefused ? Promise.reject(refused) : Promise.resolve(null)),
    });
    await living.use(1, [a, b]);
    dead.add('a');
    await living.rest(a);
    isRefused = false;
    await living.rest(b);
    await living.get(1, b);
    expect(events).toEqual([]);
    expect(told.at(-1)).toBe('b thaws');
  });
});

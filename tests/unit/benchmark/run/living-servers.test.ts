import { describe, expect, it } from 'vitest';
import { ServerInUse } from '../../../../src/benchmark/run/server-in-use.ts';
import type { RunningServer, TargetServer } from '../../../../src/benchmark/servers/target-server.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';

/** Servers that write down what happens to them; a shutdown takes until `release`. */
function bench({ isAlive = true, stop = (): Promise<null> => Promise.resolve(null) } = {}) {
  const told: string[] = [];
  const server = (id: string): TargetServer =>
    ({
      id,
      start: () => {
        told.push(`${id} starts`);
        const running: Partial<RunningServer> = {
          isAlive: () => Promise.resolve(isAlive),
          stop: async () => {
            told.push(`${id} stops`);
            await stop();
            told.push(`${id} has stopped`);
            return 0;
          },
        };
        return Promise.resolve(running as RunningServer);
      },
      halt: () => {
        told.push(`${id} is halted`);
        return Promise.resolve();
      },
    }) as unknown as TargetServer;
  return { told, a: server('a'), b: server('b'), inUse: new ServerInUse(new AbortController().signal) };
}

describe('the server in use', () => {
  it('is the same for all trials of a start', async () => {
    const { told, a, inUse } = bench();
    expect(await inUse.get('1 a', a)).toBe(await inUse.get('1 a', a));
    expect(told).toEqual(['a starts']);
  });

  it('starts while the one before shuts down, and is there only after that has ended', async () => {
    let release = (): void => undefined;
    const held = new Promise<null>((resolve) => (release = () => resolve(null)));
    const { told, a, b, inUse } = bench({ stop: () => held });
    await inUse.get('1 a', a);
    let isThere = false;
    const next = inUse.get('1 b', b).then(() => (isThere = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['a starts', 'a stops', 'b starts']);
    expect(isThere).toBe(false);
    release();
    await next;
    expect(told.at(-1)).toBe('a has stopped');
  });

  it('never starts before its own shutdown has ended', async () => {
    const { told, a, inUse } = bench();
    await inUse.get('1 a', a);
    await inUse.get('2 a', a);
    expect(told).toEqual(['a starts', 'a stops', 'a has stopped', 'a starts']);
  });

  it('starts again when it has ended between two trials', async () => {
    const { told, a, inUse } = bench({ isAlive: false });
    await inUse.get('1 a', a);
    await inUse.get('1 a', a);
    expect(told.filter((one) => one === 'a starts')).toHaveLength(2);
  });

  it('does not fail because the one before shut down badly, unless the engine is lost', async () => {
    const failing = (code: 'ENGINE_REFUSED' | 'ENGINE_LOST') =>
      bench({ stop: () => Promise.reject(new BenchmarkError(code, { action: 'x', reason: 'y' })) });
    const bad = failing('ENGINE_REFUSED');
    await bad.inUse.get('1 a', bad.a);
    await expect(bad.inUse.get('1 b', bad.b)).resolves.toBeDefined();
    const lost = failing('ENGINE_LOST');
    await lost.inUse.get('1 a', lost.a);
    await expect(lost.inUse.get('1 b', lost.b)).rejects.toMatchObject({ code: 'ENGINE_LOST' });
  });

  it('is halted with the one that still shuts down when the engine is back', async () => {
    const { told, a, b, inUse } = bench({ stop: () => new Promise(() => undefined) });
    await inUse.get('1 a', a);
    inUse.end();
    expect(await inUse.halt(b)).toBe(true);
    expect(told.filter((one) => one.endsWith('halted')).sort()).toEqual(['a is halted', 'b is halted']);
  });
});

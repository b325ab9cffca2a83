import { describe, expect, it } from 'vitest';
import { Cleanup, cleanupNotices } from '../../../../src/benchmark/context/cleanup.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';

describe('cleanup', () => {
  it('goes by stage, not by order of creation, and once only', async () => {
    const log: string[] = [];
    const cleanup = new Cleanup();
    for (const [stage, name] of [
      ['network', 'network'],
      ['storage', 'volume'],
      ['container', 'server'],
      ['container', 'client'],
    ] as const)
      cleanup.add(stage, () => Promise.resolve(void log.push(name)));
    expect(await cleanup.run()).toEqual([]);
    expect(await cleanup.run()).toEqual([]);
    expect(log).toEqual(['client', 'server', 'volume', 'network']);
  });

  it('removes once more at the end of its stage what was refused', async () => {
    const cleanup = new Cleanup();
    const log: string[] = [];
    cleanup.add('network', () => Promise.resolve(void log.push('network')));
    cleanup.add('container', () => Promise.resolve().then(() => void log.push('client')));
    cleanup.add('container', () => {
      log.push('server');
      const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason: 'a client uses it' });
      return log.includes('client') ? Promise.resolve() : Promise.reject(refused);
    });
    expect(await cleanup.run()).toEqual([]);
    expect(log).toEqual(['server', 'client', 'server', 'network']);
  });

  it('removes all else, reports what a lost engine kept, and removes that, too, if the engine returns', async () => {
    const attempts = async (returns: boolean) => {
      const cleanup = new Cleanup();
      const calls = { container: 0, storage: 0 };
      cleanup.add('container', () =>
        ++calls.container === 1 ? Promise.reject(new BenchmarkError('ENGINE_LOST')) : Promise.resolve(),
      );
      cleanup.add('storage', () => Promise.resolve(void calls.storage++));
      const failed = await cleanup.run(() => Promise.resolve(returns));
      return { ...calls, failed: failed.map(({ code }) => code) };
    };
    expect(await attempts(true)).toEqual({ container: 2, storage: 1, failed: [] });
    expect(await attempts(false)).toEqual({ container: 1, storage: 1, failed: ['ENGINE_LOST'] });
  });

  it('says each reason once', () => {
    const lost = new BenchmarkError('ENGINE_LOST').toData();
    expect(cleanupNotices([lost, lost, new BenchmarkError('STOPPED').toData()])).toHaveLength(2);
  });
});

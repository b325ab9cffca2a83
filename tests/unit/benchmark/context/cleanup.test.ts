import { describe, expect, it } from 'vitest';
import { Cleanup, cleanupNotices } from '../../../../src/benchmark/context/cleanup.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';

describe('cleanup', () => {
  it('goes by stage, not by order of creation, and once only', async () => {
    const log: string[] = [];
    const cleanup = new Cleanup();
    const note = (name: string) => (): Promise<void> => {
      log.push(name);
      return Promise.resolve();
    };
    cleanup.add('network', note('network'));
    cleanup.add('storage', note('volume'));
    cleanup.add('container', note('server'));
    cleanup.add('container', note('client'));
    expect(await cleanup.run()).toEqual([]);
    expect(await cleanup.run()).toEqual([]);
    expect(log).toEqual(['client', 'server', 'volume', 'network']);
  });

  it('lets one failure keep nothing else from going, and reports it', async () => {
    const cleanup = new Cleanup();
    let removed = false;
    cleanup.add('network', () => {
      removed = true;
      return Promise.resolve();
    });
    cleanup.add('container', () => Promise.reject(new BenchmarkError('ENGINE_LOST')));
    expect((await cleanup.run()).map(({ code }) => code)).toEqual(['ENGINE_LOST']);
    expect(removed).toBe(true);
  });

  it('removes once more at the end of its stage what was refused', async () => {
    const cleanup = new Cleanup();
    const log: string[] = [];
    cleanup.add('network', () => Promise.resolve(void log.push('network')));
    cleanup.add('container', async () => {
      await Promise.resolve();
      log.push('client');
    });
    cleanup.add('container', () => {
      log.push('server');
      const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason: 'a client uses it' });
      return log.includes('client') ? Promise.resolve() : Promise.reject(refused);
    });
    expect(await cleanup.run()).toEqual([]);
    expect(log).toEqual(['server', 'client', 'server', 'network']);
  });

  it('removes once more what a lost engine kept, if that returns', async () => {
    const attempts = async (returns: boolean) => {
      const cleanup = new Cleanup();
      let calls = 0;
      cleanup.add('container', () =>
        ++calls === 1 ? Promise.reject(new BenchmarkError('ENGINE_LOST')) : Promise.resolve(),
      );
      cleanup.add('storage', () => Promise.resolve());
      const failed = await cleanup.run(() => Promise.resolve(returns));
      return { calls, failed: failed.length };
    };
    expect(await attempts(true)).toEqual({ calls: 2, failed: 0 });
    expect(await attempts(false)).toEqual({ calls: 1, failed: 1 });
  });

  it('says each reason once', () => {
    const lost = new BenchmarkError('ENGINE_LOST').toData();
    expect(cleanupNotices([lost, lost, new BenchmarkError('STOPPED').toData()])).toHaveLength(2);
  });
});

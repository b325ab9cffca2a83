import { describe, expect, it } from 'vitest';
import { Cleanup } from '../../../../src/benchmark/run/cleanup.ts';
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
});

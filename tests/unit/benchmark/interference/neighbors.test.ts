import { describe, expect, it } from 'vitest';
import {
  busyContainers,
  readNeighbors,
  type Neighbors,
} from '../../../../src/benchmark/interference/linux-sample.ts';
import { RUN_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const reading = (atMs: number, used: Record<string, number>): Neighbors => ({
  atMs,
  ids: Object.keys(used),
  others: new Map(Object.entries(used).map(([name, cpuSeconds]) => [name, { name, cpuSeconds }])),
});

describe('containers of others', () => {
  it('are told by name with their cores, the busiest first, from their latest start', () => {
    const before = reading(0, { web: 100, idle: 7, restarted: 100 });
    const after = reading(10_000, { web: 101, idle: 7.4, build: 9, restarted: 2 });
    const busy = [...Object.entries({ build: 0.9, restarted: 0.2, web: 0.1 })];
    expect(busyContainers(before, after)).toEqual(
      busy.map(([name, value]) => ({ kind: 'container-busy', windows: null, value, name })),
    );
  });

  it('are those without this run’s label; one that goes meanwhile is left out', async () => {
    const runtime = new FakeRuntime();
    const add = async (name: string, labels: Record<string, string>, start = true): Promise<string> => {
      const id = await runtime.containers.create({ name, image: 'i', labels });
      if (start) await runtime.containers.start(id);
      return id;
    };
    const own = await add('server', { [RUN_LABEL]: 'r1' });
    const other = await add('server of another run', { [RUN_LABEL]: 'r2' });
    const gone = await add('gone', {});
    await add('stopped', {}, false);
    runtime.failing.set(`containerUsage ${gone}`, new BenchmarkError('ENGINE_REFUSED'));
    const found = await readNeighbors([runtime], runtime, 'r1');
    expect(found.ids).toEqual([own, other, gone]);
    expect([...found.others]).toEqual([[other, { name: 'server of another run', cpuSeconds: 1 }]]);
    expect(runtime.calls).not.toContain(`containerUsage ${own}`);
  });
});

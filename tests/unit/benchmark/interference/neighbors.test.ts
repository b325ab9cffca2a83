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
  it('are told by name with their cores, the busiest first', () => {
    const before = reading(0, { web: 100, idle: 7 });
    const after = reading(10_000, { web: 101, idle: 7.4, build: 9 });
    expect(busyContainers(before, after)).toEqual([
      { kind: 'container-busy', windows: null, value: 0.9, name: 'build' },
      { kind: 'container-busy', windows: null, value: 0.1, name: 'web' },
    ]);
  });

  it('count from their start when they were started again meanwhile', () => {
    const busy = busyContainers(reading(0, { web: 100 }), reading(10_000, { web: 2 }));
    expect(busy).toMatchObject([{ name: 'web', value: 0.2 }]);
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
    runtime.failing.set(
      `containerUsage ${gone}`,
      new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason: 'y' }),
    );
    const found = await readNeighbors([runtime], runtime, 'r1');
    expect(found.ids).toEqual([own, other, gone]);
    expect([...found.others]).toEqual([[other, { name: 'server of another run', cpuSeconds: 1 }]]);
    expect(runtime.calls).not.toContain(`containerUsage ${own}`);
  });
});

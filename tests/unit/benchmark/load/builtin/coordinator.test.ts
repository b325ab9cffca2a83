import { describe, expect, it } from 'vitest';
import type { OpenSpec } from '../../../../../src/benchmark/load/load-client.ts';
import {
  defaultWorkers,
  openBuiltinLoad,
  spread,
} from '../../../../../src/benchmark/load/builtin/coordinator.ts';
import { WorkerPool } from '../../../../../src/benchmark/load/builtin/worker-pool.ts';
import { workloadSchema } from '../../../../../src/shared/model/workload.ts';

const spec: OpenSpec = {
  loadGenerator: 'builtin',
  // Nothing listens on the discard port.
  target: { host: '127.0.0.1', port: 9, user: 'u', password: 'p', database: 'd' },
  workload: workloadSchema.parse({}),
  connections: 4,
  seed: 1,
};

describe('spread', () => {
  it.each([
    [8, 1, [8]],
    [8, 2, [4, 4]],
    [10, 4, [3, 3, 2, 2]],
    [3, 3, [1, 1, 1]],
    [512, 7, [74, 73, 73, 73, 73, 73, 73]],
  ])('%i connections over %i workers', (connections, workers, expected) => {
    expect(spread(connections, workers).sort((a, b) => b - a)).toEqual(expected);
  });

  it('never makes more workers than connections', () => {
    expect(defaultWorkers(1)).toBe(1);
    expect(defaultWorkers(100_000)).toBeGreaterThanOrEqual(1);
  });
});

describe('openBuiltinLoad', () => {
  it('fails before it starts a worker when the server can’t be reached', async () => {
    const run = openBuiltinLoad(spec, new AbortController().signal, new WorkerPool('none'));
    await expect(run).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('does nothing when it is stopped already', async () => {
    const stopped = new AbortController();
    stopped.abort();
    const run = openBuiltinLoad(spec, stopped.signal, new WorkerPool('none'));
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
  });
});

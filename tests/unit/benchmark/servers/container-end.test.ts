import { beforeEach, describe, expect, it } from 'vitest';
import { exitOf } from '../../../../src/benchmark/servers/failure-doctor.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

describe('a container that somebody pauses', () => {
  let runtime: FakeRuntime;
  let id: string;
  beforeEach(async () => {
    runtime = new FakeRuntime();
    id = await runtime.containers.create({ name: 'c', image: 'i', labels: {} });
    await runtime.containers.start(id);
  });

  it('is told of at once, though it would never end', async () => {
    const ended = exitOf(runtime, id);
    runtime.pause(id);
    await expect(ended).rejects.toMatchObject({ code: 'CONTAINER_PAUSED' });
  });

  it('is not made up where the engine tells no events', async () => {
    runtime.failing.set(`waitPaused ${id}`, new BenchmarkError('ENGINE_REFUSED'));
    const ended = exitOf(runtime, id);
    runtime.exit(id, 3);
    expect(await ended).toBe(3);
  });
});

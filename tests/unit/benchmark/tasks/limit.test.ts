import { expect, it } from 'vitest';
import { withinLimit } from '../../../../src/benchmark/tasks/limit.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { limitOf } from '../../../../src/shared/model/task.ts';

/** Work that ends only when it is stopped. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new BenchmarkError('STOPPED'))),
  );
}

it('a task that takes too long is stopped and fails, and names the limit', async () => {
  const { signal } = new AbortController();
  await expect(withinLimit(0.01, signal, endless)).rejects.toMatchObject({
    code: 'TASK_FAILED',
    params: { reason: { code: 'task.limit', params: { seconds: 0.01 } } },
  });
});

it('a task that the user stops is stopped, and one in time has its result', async () => {
  const stop = new AbortController();
  const stopped = withinLimit(600, stop.signal, endless);
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'STOPPED' });
  expect(await withinLimit(600, new AbortController().signal, () => Promise.resolve(7))).toBe(7);
});

it('the limit is the one that the user gave, otherwise half an hour', () => {
  expect(limitOf({ kind: 'dump', bytes: 1, limitSeconds: 5 })).toBe(5);
  expect(limitOf({ kind: 'migrations', count: 1 })).toBe(1800);
});

import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planLikeTheirs } from '../../../../src/benchmark/database/data-size.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { Message } from '../../../../src/shared/message.ts';
import { serviceOf } from '../../../../src/shared/compose/database-preset.ts';
import { newFolder } from '../../../helpers/folders.ts';
import { makePlan } from '../../builders.ts';
import { makeDatabase, storageOf } from '../../database-builder.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const MIB = 2 ** 20;
const volume = (place: string) =>
  serviceOf(makeDatabase({ storage: storageOf('named-volume', { place }) }), 'db');

/** The sizes that were planned, MiB, and the last reason; a plan fits up to `fits` MiB of data. */
async function sizes(
  service: ReturnType<typeof serviceOf>,
  runtime: FakeRuntime,
  fits = Infinity,
): Promise<{ tried: (number | null)[]; reason: string | undefined }> {
  const tried: (number | null)[] = [];
  let said: Message | null = null;
  await planLikeTheirs(service, runtime, (bytes, reason) => {
    tried.push(bytes === null ? null : Math.round(bytes / MIB));
    said = reason;
    if ((bytes ?? 0) > fits * MIB) return Promise.reject(new BenchmarkError('DISK_TOO_SMALL'));
    return Promise.resolve({ plan: makePlan() });
  });
  return { tried, reason: (said as Message | null)?.code };
}

it.each([
  [775, [600], 'notice.dataLikeTheirs'],
  [9000, [2048], 'notice.lessData'],
  [180, [null], undefined],
])('a volume of %i MiB is measured with %j MiB', async (theirs, tried, reason) => {
  const runtime = new FakeRuntime();
  runtime.volumeSizes.set('shop_db', theirs * MIB);
  expect(await sizes(volume('shop_db'), runtime)).toEqual({ tried, reason });
});

it('halves the data until the plan fits on the disk', async () => {
  const runtime = new FakeRuntime();
  runtime.volumeSizes.set('shop_db', 9000 * MIB);
  expect(await sizes(volume('shop_db'), runtime, 600)).toEqual({
    ...{ tried: [2048, 1024, 512], reason: 'notice.lessData' },
  });
  expect((await sizes(volume('shop_db'), runtime, 10)).tried.at(-1)).toBeNull();
});

it('measures the usual data where the size is unknown', async () => {
  const runtime = new FakeRuntime();
  expect((await sizes(volume('shop_db'), runtime)).tried).toEqual([null]);
  runtime.failing.set('volumeBytes shop_db', new BenchmarkError('ENGINE_LOST'));
  expect((await sizes(volume('shop_db'), runtime)).tried).toEqual([null]);
});

it('takes the size of a folder’s files', async () => {
  const folder = newFolder();
  await writeFile(join(folder, 'ibdata1'), '');
  await truncate(join(folder, 'ibdata1'), 275 * MIB);
  const bound = serviceOf(makeDatabase({ storage: storageOf('bind-mount', { place: folder }) }), 'db');
  expect((await sizes(bound, new FakeRuntime())).tried).toEqual([100]);
});

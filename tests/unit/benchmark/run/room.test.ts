import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fullDiskNotices, requireRoom, watchedRooms } from '../../../../src/benchmark/run/room.ts';
import { msg } from '../../../../src/shared/message.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { makePassport } from '../../plan-builder.ts';

describe('the disk of an engine in a virtual machine', () => {
  const folders = { bindRoot: '/nowhere/bind', dataDir: undefined };
  const vm = () => new FakeRuntime(makePassport({ vm: true }));
  const roomsOf = (runtime: FakeRuntime) =>
    watchedRooms({ runtime, ...folders }, { runtime, name: 'run', image: 'mysql:8.4', labels: {} });
  /** `df -Pk /` of every container. */
  const showing = (runtime: FakeRuntime, kibibytes: number | undefined): FakeRuntime => {
    runtime.onStart = ({ id, log }) => {
      log.push('Filesystem 1024-blocks Used Available Capacity Mounted on');
      if (kibibytes !== undefined) log.push(`overlay 20000000 9 ${kibibytes} 99% /`);
      runtime.exit(id, kibibytes === undefined ? 1 : 0);
    };
    return runtime;
  };
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends a run before it is full', async () => {
    await expect(requireRoom(await roomsOf(showing(vm(), 400 * 1024)))).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      params: { storage: msg('place.engineDisk') },
    });
    await requireRoom(await roomsOf(showing(vm(), 600 * 1024)));
    await requireRoom(await roomsOf(showing(vm(), undefined)));
  });

  it('is asked every two minutes, and leaves no container', async () => {
    const runtime = showing(vm(), 600 * 1024);
    const rooms = await roomsOf(runtime);
    const asked = () => runtime.calls.filter((call) => call.startsWith('startContainer')).length;
    for (const [afterMs, times] of [
      [0, 1],
      [119_000, 1],
      [2_000, 2],
    ] as const) {
      vi.advanceTimersByTime(afterMs);
      await requireRoom(rooms);
      expect(asked()).toBe(times);
    }
    expect(runtime.containersMade.size).toBe(0);
  });

  it('is not asked on a native engine, whose folder is seen from here', async () => {
    const runtime = showing(new FakeRuntime(), 1);
    await requireRoom(await roomsOf(runtime));
    expect(runtime.calls.filter((call) => call.startsWith('startContainer'))).toEqual([]);
  });

  it('is asked on a native engine whose folder isn’t seen from here', async () => {
    const runtime = showing(new FakeRuntime(), 1);
    runtime.root = '/nowhere/docker';
    await expect(requireRoom(await roomsOf(runtime))).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('is named at the end of a run that left it nearly full', async () => {
    expect(await fullDiskNotices(await roomsOf(showing(vm(), 1024)))).toMatchObject([
      { code: 'DISK_NEARLY_FULL', message: { params: { folder: msg('place.engineDisk') } } },
    ]);
    expect(await fullDiskNotices(await roomsOf(showing(vm(), 600 * 1024)))).toEqual([]);
  });
});

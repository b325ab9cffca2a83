import { BenchmarkError } from '../../shared/errors.ts';
import { msg, type Said } from '../../shared/message.ts';
import type { Notice } from '../../shared/model/plan.ts';
import { MIB } from '../../shared/model/server-settings.ts';
import { formatBytes } from '../../shared/units.ts';
import type { RunContext } from '../context/context.ts';
import { engineFreeBytes, isDiskHidden } from '../servers/engine-disk.ts';
import type { HelperContext } from '../servers/helper-container.ts';
import { freeBytes } from '../files/free-bytes.ts';

/** Servers write less in a few slices. */
const LEAST_FREE_BYTES = 512 * MIB;
/** Each look at the engine's disk is a container. */
const BETWEEN_LOOKS_MS = 120_000;

export interface Room {
  name: Said;
  /** Bytes; undefined if unknown, or asked shortly before. */
  free(): Promise<number | undefined>;
}

export async function watchedRooms(
  { runtime, bindRoot, dataDir }: Pick<RunContext, 'runtime' | 'bindRoot' | 'dataDir'>,
  helper: HelperContext | undefined,
): Promise<Room[]> {
  const dataRoot = await runtime.dataRoot().catch(() => undefined);
  const folders = [dataRoot, bindRoot, dataDir].filter((folder) => folder !== undefined);
  const rooms = folders.map((folder) => ({ name: folder, free: () => freeBytes(folder) }));
  return isDiskHidden(runtime, dataRoot) && helper !== undefined ? [engineRoom(helper), ...rooms] : rooms;
}

function engineRoom(helper: HelperContext): Room {
  let askedMs = -Infinity;
  return {
    name: msg('place.engineDisk'),
    free: async () => {
      if (performance.now() - askedMs < BETWEEN_LOOKS_MS) return undefined;
      askedMs = performance.now();
      return engineFreeBytes(helper).catch(() => undefined);
    },
  };
}

/** Rejects with STORAGE_FULL before a disk is full. */
export async function requireRoom(rooms: readonly Room[]): Promise<void> {
  const [first] = await nearlyFull(rooms);
  if (first === undefined) return;
  const reason = msg('reason.nearlyFull', { free: formatBytes(first.free) });
  throw new BenchmarkError('STORAGE_FULL', { storage: first.name, reason });
}

export async function fullDiskNotices(rooms: readonly Room[]): Promise<Notice[]> {
  return (await nearlyFull(rooms)).map(({ name, free }) => ({
    code: 'DISK_NEARLY_FULL',
    message: msg('notice.diskNearlyFull', { folder: name, free: formatBytes(free) }),
  }));
}

async function nearlyFull(rooms: readonly Room[]): Promise<{ name: Said; free: number }[]> {
  const found = await Promise.all(rooms.map(async ({ name, free }) => ({ name, free: await free() })));
  return found.flatMap(({ name, free }) =>
    free === undefined || free >= LEAST_FREE_BYTES ? [] : [{ name, free }],
  );
}

import { MIB } from '../../shared/model/server-settings.ts';
import { stat } from 'node:fs/promises';
import { BenchmarkError } from '../../shared/errors.ts';
import { isContainerStorage, STORAGES } from '../../shared/kinds/storages.ts';
import { type Message, type MessageCode, msg, type Said } from '../../shared/message.ts';
import { configOf, imagesOf, type Plan, type ServerConfig } from '../../shared/model/plan.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { partsOfServer } from '../../shared/model/server-spec.ts';
import { ownSqlBytes } from '../../shared/model/task.ts';
import { dataBytes, isTpcc } from '../../shared/model/workload.ts';
import { formatBytes } from '../../shared/units.ts';
import { datadirBytes } from '../servers/dataset/dataset.ts';
import { freeBytes } from '../files/free-bytes.ts';

/** InnoDB's pool with its structures (MySQL Reference Manual, innodb_buffer_pool_size: about 10% more). */
const POOL_FACTOR = 1.1;
/**
 * MiB in addition to the pool, measured with 64 connections: MySQL 9.7 took up to 287 MiB, MariaDB 11.8 130 MiB,
 * dockerd and containerd 160 MiB.
 */
const OTHER_MIB = 512;

export function largestPoolMiB(memoryBytes: number): number {
  return Math.max(0, Math.floor((memoryBytes / MIB - OTHER_MIB) / POOL_FACTOR));
}

/** Throws POOL_TOO_LARGE for the engine's memory or the container's limit. */
export function requireMemory(
  preset: Pick<Preset, 'servers' | 'bufferPools' | 'small'>,
  { configs, scenarios, engines }: Pick<Plan, 'configs' | 'scenarios' | 'engines'>,
): void {
  const { memoryBytes } = engines[0].passport.runtime;
  const largest = largestPoolMiB(memoryBytes);
  const byPool = configs
    .filter(({ id }) =>
      scenarios.some(({ configId, storage }) => configId === id && isContainerStorage(storage.kind)),
    )
    .sort((a, b) => b.settings.bufferPoolMiB - a.settings.bufferPoolMiB);
  const refused = (
    config: ServerConfig,
    memory: number,
    fitting: number,
    otherwise: Message,
  ): BenchmarkError =>
    new BenchmarkError('POOL_TOO_LARGE', {
      wanted: formatBytes(config.settings.bufferPoolMiB * MIB),
      memory: formatBytes(memory),
      largest: formatBytes(fitting * MIB),
      field: poolField(preset, config),
      mebibytes: String(fitting),
      otherwise,
    });
  const [most] = byPool;
  if (most !== undefined && memoryBytes > 0 && most.settings.bufferPoolMiB > largest) {
    throw refused(most, memoryBytes, largest, smallOr('plan.fits.moreMemory', preset));
  }
  for (const config of byPool) {
    const { memoryMiB } = config.limits;
    const fitting = memoryMiB === null ? Infinity : Math.floor(memoryMiB / POOL_FACTOR);
    if (memoryMiB === null || config.settings.bufferPoolMiB <= fitting) continue;
    throw refused(config, memoryMiB * MIB, fitting, msg('plan.fits.raiseLimit'));
  }
}

function poolField(
  { servers, bufferPools }: Pick<Preset, 'servers' | 'bufferPools'>,
  config: ServerConfig,
): string {
  const { server, pool } = partsOfServer(config.server);
  if (pool !== undefined && Object.hasOwn(bufferPools, pool)) return `bufferPools.${pool}.bufferPool`;
  const isOwn = server !== undefined && servers[server]?.settings?.bufferPool !== undefined;
  return `${isOwn ? `servers.${server}` : 'server'}.settings.bufferPool`;
}

type OnDisk = Pick<Plan, 'configs' | 'scenarios' | 'workload' | 'schedule' | 'task'>;

/** Throws STORAGE_TOO_SMALL if the data doesn't fit. */
export function requireStorageSizes(plan: OnDisk): void {
  for (const scenario of plan.scenarios) {
    const { storage, storageId, label } = scenario;
    if (storage.sizeMiB === undefined) continue;
    const config = configOf(plan, scenario);
    const needed = dataBytes(plan.workload) + config.settings.redoLogMiB * MIB;
    if (storage.sizeMiB * MIB >= needed) continue;
    throw new BenchmarkError('STORAGE_TOO_SMALL', {
      storage: label.storageName ?? storageId,
      size: formatBytes(storage.sizeMiB * MIB),
      needed: formatBytes(needed),
      field: `storages.${storageId}.sizeMiB`,
      mebibytes: String(Math.ceil(datadirBytes(plan, config) / MIB)),
    });
  }
}

/** The most bytes at a time, with copies' sources and the user's SQL. */
export function diskBytes(plan: OnDisk): Record<'engine' | 'bind', number> {
  const { configs, scenarios, task } = plan;
  const each = Math.max(...configs.map((config) => datadirBytes(plan, config)));
  const copies = (disk: 'engine' | 'bind'): number => {
    const own = scenarios.filter(({ storage: { kind } }) => {
      // Native servers have their data where bind mounts do.
      return (isContainerStorage(kind) ? STORAGES[kind].disk : 'bind') === disk;
    });
    const servers = new Set(own.map(({ serverId }) => serverId)).size;
    return task === null ? servers : Math.min(servers, 1);
  };
  const sources =
    imagesOf(plan).length + Number(scenarios.some(({ storage }) => storage.kind === 'image-layer'));
  const native = scenarios.filter(({ storage }) => !isContainerStorage(storage.kind));
  const nativeSources = task === null ? 0 : new Set(native.map(({ configId }) => configId)).size;
  const sqlHere = native.length === 0 ? 0 : ownSqlBytes(task);
  return {
    engine: each * (copies('engine') + sources) + ownSqlBytes(task),
    bind: each * (copies('bind') + nativeSources) + sqlHere,
  };
}

interface EngineDisk {
  plan: OnDisk;
  /** Undefined: the engine is on another machine, or in a VM. */
  dataRoot: string | undefined;
}

/** Rejects with DISK_TOO_SMALL for a visible disk that can't hold the data. */
export async function requireDisk(
  preset: Pick<Preset, 'small'>,
  engines: readonly EngineDisk[],
  bindRoot: string | undefined,
): Promise<void> {
  const disks = new Map<number, { plan: OnDisk; folder: string; bytes: number }>();
  for (const { plan, dataRoot } of engines) {
    const needed = diskBytes(plan);
    for (const [folder, bytes] of [
      [dataRoot, needed.engine],
      [bindRoot, needed.bind],
    ] as const) {
      const device = folder === undefined || bytes === 0 ? undefined : await deviceOf(folder);
      if (folder === undefined || device === undefined) continue;
      const known = disks.get(device) ?? { plan, folder, bytes: 0 };
      disks.set(device, { ...known, bytes: known.bytes + bytes });
    }
  }
  for (const { plan, folder, bytes } of disks.values()) {
    const free = await freeBytes(folder);
    if (free === undefined || bytes <= free) continue;
    throw diskTooSmall(plan, { needed: bytes, free, folder }, preset);
  }
}

export function diskTooSmall(
  { task, workload }: Pick<OnDisk, 'task' | 'workload'>,
  { needed, free, folder }: { needed: number; free: number; folder: Said },
  preset: Pick<Preset, 'small'> = { small: undefined },
): BenchmarkError {
  return new BenchmarkError('DISK_TOO_SMALL', {
    needed: formatBytes(needed),
    free: formatBytes(free),
    folder,
    field:
      ownSqlBytes(task) > 0
        ? msg('plan.fits.dump')
        : isTpcc(workload)
          ? 'workload.warehouses'
          : 'workload.tableSize',
    otherwise: smallOr('plan.fits.cleanUp', preset),
  });
}

function smallOr(otherwise: MessageCode, { small }: Pick<Preset, 'small'>): Message {
  return msg(small === undefined ? otherwise : 'plan.fits.small');
}

/** Undefined: no such folder. */
export function deviceOf(folder: string): Promise<number | undefined> {
  return stat(folder).then(
    ({ dev }) => dev,
    () => undefined,
  );
}

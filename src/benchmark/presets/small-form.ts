import type { Preset } from '../../shared/model/preset.ts';
import { LEAST_POOL_MIB, type SettingName } from '../../shared/model/server-settings.ts';
import type { ServerSpec } from '../../shared/model/server-spec.ts';
import { isTpcc, LEAST_ROWS, type Workload } from '../../shared/model/workload.ts';

/** The fewest rounds that give an interval. */
const FEW_ROUNDS = 3;
/** A smaller redo log would be full within a trial, which would measure its flushing. */
const LEAST_REDO_LOG_MIB = 128;

/** One factor scales rows, buffer pools, and redo logs. */
export function smallForm({ small, ...full }: Preset): Preset | undefined {
  if (small === undefined) return undefined;
  const { scale, loadGenerator = full.loadGenerator, ...times } = small;
  return {
    ...full,
    server: { ...full.server, settings: scaledSettings(full.server.settings, scale) },
    servers: mapped(full.servers, (server) => ({
      ...server,
      settings: scaledSettings(server.settings ?? {}, scale),
    })),
    bufferPools: mapped(full.bufferPools, (pool) => scaledSettings(pool, scale)),
    workload: scaledWorkload(full.workload, scale),
    loadGenerator,
    schedule: { rounds: Math.min(FEW_ROUNDS, full.schedule.rounds), ...times },
  };
}

function mapped<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function scaledWorkload(workload: Workload, scale: number): Workload {
  const scaled = (rows: number, least: number): number => Math.max(least, Math.round(rows * scale));
  if (!isTpcc(workload)) {
    return { ...workload, tableSize: scaled(workload.tableSize, LEAST_ROWS.tableSize) };
  }
  // More connections would meet in fewer warehouses.
  return {
    ...workload,
    items: scaled(workload.items, LEAST_ROWS.items),
    customersPerDistrict: scaled(workload.customersPerDistrict, LEAST_ROWS.customersPerDistrict),
  };
}

type Setting<Name extends SettingName> = ServerSpec['settings'][Name] | undefined;

function scaledSettings<T extends { bufferPool?: Setting<'bufferPool'>; redoLogMiB?: Setting<'redoLogMiB'> }>(
  settings: T,
  scale: number,
): T {
  const { bufferPool, redoLogMiB } = settings;
  return {
    ...settings,
    ...(typeof bufferPool === 'number'
      ? { bufferPool: Math.max(LEAST_POOL_MIB, Math.round(bufferPool * scale)) }
      : {}),
    ...(typeof redoLogMiB === 'number'
      ? { redoLogMiB: Math.min(redoLogMiB, Math.max(LEAST_REDO_LOG_MIB, Math.round(redoLogMiB * scale))) }
      : {}),
  };
}

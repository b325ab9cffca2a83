import * as z from 'zod';
import { kindsOf } from '../kinds/kind.ts';
import type { MessageCode } from '../message.ts';
import { dataBytes, isTpcc, type Workload } from './workload.ts';

export const MIB = 2 ** 20;
/** The smallest pool InnoDB accepts (MySQL Reference Manual, innodb_buffer_pool_size). */
export const LEAST_POOL_MIB = 5;

/** The value for which no option is passed. */
const DEFAULT = 'default';

/** MiB, a share of the data ("10%"), or `in-memory` with room to spare. */
export const bufferPoolSchema = z
  .union(
    [
      z.number().int().min(LEAST_POOL_MIB),
      z.string().regex(/^\d+(\.\d+)?\s?%$/),
      z.enum(['in-memory', DEFAULT]),
    ],
    { error: 'preset.bufferPool' satisfies MessageCode },
  )
  .describe(
    "innodb_buffer_pool_size: MiB, a share of the data such as 10%, `in-memory` (all data fits), or `default` (the server's own).",
  );
type BufferPool = z.infer<typeof bufferPoolSchema>;

const redoLog = z.number().int().min(8);
const flushLog = z.union([z.literal(0), z.literal(1), z.literal(2)]);
const syncBinlog = z.number().int().min(0);

function orDefault<T extends z.ZodType>(schema: T, meaning: string) {
  return z.union([schema, z.literal(DEFAULT)]).describe(`${meaning} \`default\`: the server's own value.`);
}

export const SETTINGS = {
  bufferPool: bufferPoolSchema,
  redoLogMiB: orDefault(
    redoLog,
    'Size of the redo log (innodb_redo_log_capacity or innodb_log_file_size), MiB.',
  ),
  flushLogAtTrxCommit: orDefault(flushLog, 'innodb_flush_log_at_trx_commit: 1 flushes at every commit.'),
  binlog: orDefault(z.boolean(), 'Whether the server writes a binary log.'),
  syncBinlog: orDefault(
    syncBinlog,
    'sync_binlog: commits between flushes of the binary log; 0 leaves them to the system.',
  ),
  performanceSchema: orDefault(z.boolean(), 'Whether the Performance Schema collects statistics.'),
};
export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = kindsOf(SETTINGS);

export const settingsSpecSchema = z.strictObject({
  bufferPool: SETTINGS.bufferPool.default(256),
  redoLogMiB: SETTINGS.redoLogMiB.default(256),
  flushLogAtTrxCommit: SETTINGS.flushLogAtTrxCommit.default(1),
  binlog: SETTINGS.binlog.default(false),
  syncBinlog: SETTINGS.syncBinlog.default(1),
  performanceSchema: SETTINGS.performanceSchema.default(false),
});

/** Settings in `defaults` aren't passed: a plan has the manual's values, a measured run the server's. */
export const serverSettingsSchema = z.strictObject({
  bufferPoolMiB: z.number().positive(),
  redoLogMiB: z.number().positive().default(256),
  flushLogAtTrxCommit: flushLog.default(1),
  binlog: z.boolean().default(false),
  syncBinlog: syncBinlog.default(1),
  performanceSchema: z.boolean().default(false),
  defaults: z.array(z.enum(SETTING_NAMES)).default([]),
});
export type ServerSettings = z.infer<typeof serverSettingsSchema>;
export type DefaultSettings = Omit<ServerSettings, 'defaults'>;

/** A plan's settings; `known`: the defaults in the server's manual. */
export function resolvedSettings(
  spec: z.infer<typeof settingsSpecSchema>,
  workload: Workload,
  known: DefaultSettings,
): ServerSettings {
  const resolved = <T>(value: T | typeof DEFAULT, otherwise: T): T => (value === DEFAULT ? otherwise : value);
  return {
    bufferPoolMiB:
      spec.bufferPool === DEFAULT ? known.bufferPoolMiB : bufferPoolMiB(spec.bufferPool, workload),
    redoLogMiB: resolved(spec.redoLogMiB, known.redoLogMiB),
    flushLogAtTrxCommit: resolved(spec.flushLogAtTrxCommit, known.flushLogAtTrxCommit),
    binlog: resolved(spec.binlog, known.binlog),
    syncBinlog: resolved(spec.syncBinlog, known.syncBinlog),
    performanceSchema: resolved(spec.performanceSchema, known.performanceSchema),
    defaults: SETTING_NAMES.filter((name) => spec[name] === DEFAULT),
  };
}

export function settingsSpecOf({ bufferPoolMiB, defaults, ...others }: ServerSettings): object {
  return {
    bufferPool: bufferPoolMiB,
    ...others,
    ...Object.fromEntries(defaults.map((name) => [name, DEFAULT])),
  };
}

const READ_BACK: Record<SettingName, (variables: Record<string, string>) => Partial<ServerSettings>> = {
  bufferPool: (all) => number(all['innodb_buffer_pool_size'], (bytes) => ({ bufferPoolMiB: bytes / MIB })),
  redoLogMiB: (all) => ({
    ...number(all['innodb_log_file_size'], (bytes) => ({
      redoLogMiB: (bytes / MIB) * Number(all['innodb_log_files_in_group'] ?? 1),
    })),
    ...number(all['innodb_redo_log_capacity'], (bytes) => ({ redoLogMiB: bytes / MIB })),
  }),
  flushLogAtTrxCommit: (all) => {
    const { data } = flushLog.safeParse(Number(all['innodb_flush_log_at_trx_commit']));
    return data === undefined ? {} : { flushLogAtTrxCommit: data };
  },
  binlog: (all) => flag(all['log_bin'], (binlog) => ({ binlog })),
  syncBinlog: (all) => number(all['sync_binlog'], (commits) => ({ syncBinlog: commits })),
  performanceSchema: (all) => flag(all['performance_schema'], (performanceSchema) => ({ performanceSchema })),
};

export function settingsReadBack(
  settings: ServerSettings,
  variables: Record<string, string>,
): ServerSettings {
  return settings.defaults.reduce((all, name) => ({ ...all, ...READ_BACK[name](variables) }), settings);
}

function number(text: string | undefined, take: (value: number) => Partial<ServerSettings>) {
  return text !== undefined && /^\d{1,15}$/.test(text) ? take(Number(text)) : {};
}

function flag(text: string | undefined, take: (value: boolean) => Partial<ServerSettings>) {
  return text === undefined ? {} : take(/^(ON|1)$/i.test(text));
}

function bufferPoolMiB(pool: Exclude<BufferPool, typeof DEFAULT>, workload: Workload): number {
  if (typeof pool === 'number') return pool;
  const dataMiB = dataBytes(workload) / MIB;
  // Undo and inserts need room, and TPC-C's data grows.
  if (pool === 'in-memory') return Math.max(128, Math.ceil(dataMiB * (isTpcc(workload) ? 2 : 1.5)) + 64);
  return Math.max(LEAST_POOL_MIB, Math.round((dataMiB * Number.parseFloat(pool)) / 100));
}

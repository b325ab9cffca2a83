import * as z from 'zod';
import { complaint } from '../field-problems.ts';
import { kindsOf } from '../kinds/kind.ts';
import { storageOptionsSchema } from '../kinds/storage-options.ts';
import { STORAGES } from '../kinds/storages.ts';
import type { MessageCode } from '../message.ts';
import { STORAGE_KINDS } from './names.ts';
import { dataBytes, isTpcc, type Workload } from './workload.ts';

const storageObjectSchema = z
  .strictObject({
    kind: z.enum(STORAGE_KINDS).describe('Where the datadir lives.'),
    name: z.string().min(1).optional().describe("For people, in place of the kind's own name."),
    ...storageOptionsSchema.shape,
  })
  .superRefine((storage, context) => {
    const { options = [], needsOption = false } = STORAGES[storage.kind];
    const given = kindsOf(storageOptionsSchema.shape).filter((name) => storage[name] !== undefined);
    for (const name of given.filter((one) => !options.includes(one))) {
      const kinds = STORAGE_KINDS.filter((kind) => STORAGES[kind].options?.includes(name)).join(', ');
      context.addIssue(complaint([name], 'preset.optionOf', { kinds }));
    }
    for (const option of options) {
      if (needsOption && storage[option] === undefined) {
        context.addIssue(complaint([option], 'preset.optionNeeded', { kind: storage.kind, option }));
      }
    }
  });
export type StorageSpec = z.infer<typeof storageObjectSchema>;

export const storageSpecSchema = z.union(
  [
    z
      .enum(STORAGE_KINDS.filter((kind) => !STORAGES[kind].needsOption))
      .transform((kind): StorageSpec => ({ kind })),
    storageObjectSchema,
  ],
  {
    error: (issue) =>
      typeof issue.input === 'string' ? ('preset.storageKinds' satisfies MessageCode) : undefined,
  },
);

const MIB = 2 ** 20;
/** The smallest pool InnoDB accepts (MySQL Reference Manual, innodb_buffer_pool_size). */
const LEAST_POOL_MIB = 5;

/** MiB, a share of the data ("10%"), or `in-memory`: the data fits with room. */
export const bufferPoolSchema = z
  .union(
    [z.number().int().min(LEAST_POOL_MIB), z.string().regex(/^\d+(\.\d+)?\s?%$/), z.literal('in-memory')],
    { error: 'preset.bufferPool' satisfies MessageCode },
  )
  .describe('innodb_buffer_pool_size: MiB, a share of the data such as 10%, or in-memory.');
type BufferPool = z.infer<typeof bufferPoolSchema>;

const settingsSpecSchema = z.strictObject({
  bufferPool: bufferPoolSchema.default(256),
  redoLogMiB: z
    .number()
    .int()
    .min(8)
    .describe('Redo log (innodb_redo_log_capacity, innodb_log_file_size), MiB.')
    .default(256),
  flushLogAtTrxCommit: z
    .union([z.literal(0), z.literal(1), z.literal(2)])
    .describe('innodb_flush_log_at_trx_commit; 1 flushes at every commit.')
    .default(1),
  binlog: z.boolean().describe('Write the binary log.').default(false),
  syncBinlog: z
    .number()
    .int()
    .min(0)
    .describe('sync_binlog: commits for each flush of the binary log.')
    .default(1),
});

/** With every size resolved; each is passed explicitly and read back. */
export const serverSettingsSchema = settingsSpecSchema
  .omit({ bufferPool: true })
  .extend({ bufferPoolMiB: z.number().int().min(LEAST_POOL_MIB) });
export type ServerSettings = z.infer<typeof serverSettingsSchema>;

const serverOptionSchema = z
  .string()
  .regex(/^--[a-z][a-z0-9_.-]*(=[^\n\r\0]*)?$/i, 'preset.serverOption' satisfies MessageCode);

const SETTINGS_TEXT =
  'Settings that matter; each one is passed explicitly, equally to every scenario, and read back.';

const serverFields = {
  name: z.string().min(1).optional().describe('For people.'),
  image: z.string().min(1).describe('Image of MySQL, Percona Server or MariaDB.'),
  settings: settingsSpecSchema.describe(SETTINGS_TEXT),
  options: z
    .array(serverOptionSchema)
    .describe('More options of the server, after ours: --name or --name=value.'),
  configFile: z
    .string()
    .min(1)
    .optional()
    .describe("A my.cnf of one's own; its server sections become options."),
  nativeBinary: z
    .string()
    .min(1)
    .optional()
    .describe('The server program on this machine that storage `native` uses; found by itself without this.'),
  /** mysql://user:password@host:3306 for storage `external`; never stored in plans or results. */
  dsn: z
    .string()
    .regex(/^(mysql|mariadb):\/\//, 'write mysql://user:password@host:port')
    .optional()
    .describe(
      'Address and account for storage `external`: mysql://user:password@host:3306. Better given as WHALEMARK_DSN.',
    ),
};

export const serverSpecSchema = z.strictObject({
  ...serverFields,
  image: serverFields.image.default('mysql:8.4'),
  settings: settingsSpecSchema.prefault({}).describe(SETTINGS_TEXT),
  options: serverFields.options.default([]),
});
export type ServerSpec = z.infer<typeof serverSpecSchema>;

export const serverOverrideSchema = z.strictObject({
  ...serverFields,
  image: serverFields.image.optional(),
  settings: z
    .strictObject({
      bufferPool: bufferPoolSchema,
      redoLogMiB: settingsSpecSchema.shape.redoLogMiB.unwrap(),
      flushLogAtTrxCommit: settingsSpecSchema.shape.flushLogAtTrxCommit.unwrap(),
      binlog: settingsSpecSchema.shape.binlog.unwrap(),
      syncBinlog: settingsSpecSchema.shape.syncBinlog.unwrap(),
    })
    .partial()
    .optional()
    .describe('Settings in place of those of `server`.'),
  options: serverFields.options.optional(),
});
type ServerOverride = z.infer<typeof serverOverrideSchema>;

export function overriddenServer(server: ServerSpec, change: ServerOverride | undefined): ServerSpec {
  if (change === undefined) return server;
  return serverSpecSchema.parse({
    ...server,
    ...change,
    settings: { ...server.settings, ...change.settings },
    options: [...server.options, ...(change.options ?? [])],
  });
}

export function resolvedSettings(
  { bufferPool, ...others }: ServerSpec['settings'],
  workload: Workload,
): ServerSettings {
  return { ...others, bufferPoolMiB: bufferPoolMiB(bufferPool, workload) };
}

function bufferPoolMiB(pool: BufferPool, workload: Workload): number {
  if (typeof pool === 'number') return pool;
  const dataMiB = dataBytes(workload) / MIB;
  // Leaves room for undo and inserts; TPC-C's data grows.
  if (pool === 'in-memory') return Math.max(128, Math.ceil(dataMiB * (isTpcc(workload) ? 2 : 1.5)) + 64);
  return Math.max(LEAST_POOL_MIB, Math.round((dataMiB * Number.parseFloat(pool)) / 100));
}

export const OWN_SERVER = 'default';

/** Names contain no underscore, so ids are unique. */
export function setupId({
  server,
  bufferPool,
}: {
  server: string | undefined;
  bufferPool: string | undefined;
}): string {
  return [server ?? OWN_SERVER, ...(bufferPool === undefined ? [] : [bufferPool])].join('_');
}

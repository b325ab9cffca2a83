import * as z from 'zod';
import { complaint } from '../field-problems.ts';
import { kindsOf } from '../kinds/kind.ts';
import { storageOptionsSchema } from '../kinds/storage-options.ts';
import { STORAGES } from '../kinds/storages.ts';
import type { MessageCode } from '../message.ts';
import { STORAGE_KINDS } from './names.ts';
import { SETTINGS, settingsSpecSchema } from './server-settings.ts';

const storageObjectSchema = z
  .strictObject({
    kind: z.enum(STORAGE_KINDS).describe('Kind of storage that holds the data directory.'),
    name: z.string().min(1).optional().describe("Name to show instead of the kind's."),
    ...storageOptionsSchema.shape,
  })
  .superRefine((storage, context) => {
    const { options = [], needsOption = false, sizes } = STORAGES[storage.kind];
    const present = kindsOf(storageOptionsSchema.shape).filter((name) => storage[name] !== undefined);
    for (const name of present.filter((one) => !options.includes(one))) {
      const kinds = STORAGE_KINDS.filter((kind) => STORAGES[kind].options?.includes(name)).join(', ');
      context.addIssue(complaint([name], 'preset.optionOf', { kinds }));
    }
    for (const option of options) {
      if (needsOption && storage[option] === undefined) {
        context.addIssue(complaint([option], 'preset.optionNeeded', { kind: storage.kind, option }));
      }
    }
    if (storage.sizeMiB === undefined || sizes === undefined) return;
    const size = z.number().min(sizes.leastMiB).max(sizes.mostMiB).safeParse(storage.sizeMiB);
    for (const issue of size.error?.issues ?? []) context.addIssue({ ...issue, path: ['sizeMiB'] });
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

export const limitsSchema = z.strictObject({
  cpus: z.number().positive().nullable().default(null).describe('Number of CPUs; null: no limit.'),
  memoryMiB: z.number().positive().nullable().default(null).describe('Memory in MiB; null: no limit.'),
});
export type Limits = z.infer<typeof limitsSchema>;

export function isLimited({ cpus, memoryMiB }: Limits): boolean {
  return cpus !== null || memoryMiB !== null;
}

const LIMITS_TEXT = "Most CPUs and memory for the server's container. Default: no limits.";

const serverOptionSchema = z
  .string()
  .regex(/^--[a-z][a-z0-9_.-]*(=[^\n\r\0]*)?$/i, 'preset.serverOption' satisfies MessageCode);

const SETTINGS_TEXT =
  'Settings that affect speed most. Each is passed to every scenario alike, or left to the server, and read back.';

const serverFields = {
  name: z.string().min(1).optional().describe('Name to show.'),
  image: z.string().min(1).describe('Docker image of MySQL, Percona Server, or MariaDB.'),
  settings: settingsSpecSchema.describe(SETTINGS_TEXT),
  options: z
    .array(serverOptionSchema)
    .describe("More server options, as --name or --name=value. They come after Whalemark's own."),
  configFile: z.string().min(1).optional().describe('Path of a my.cnf, whose server groups become options.'),
  nativeBinary: z
    .string()
    .min(1)
    .optional()
    .describe('Path of the server program for the storage `native`. Default: the one that Whalemark finds.'),
};

export const serverSpecSchema = z.strictObject({
  ...serverFields,
  image: serverFields.image.default('mysql:8.4'),
  settings: settingsSpecSchema.prefault({}).describe(SETTINGS_TEXT),
  limits: limitsSchema.prefault({}).describe(LIMITS_TEXT),
  options: serverFields.options.default([]),
});
export type ServerSpec = z.infer<typeof serverSpecSchema>;

export const serverOverrideSchema = z.strictObject({
  ...serverFields,
  image: serverFields.image.optional(),
  settings: z
    .strictObject(SETTINGS)
    .partial()
    .optional()
    .describe('Settings that differ from those of `server`.'),
  limits: limitsSchema.optional().describe(LIMITS_TEXT),
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

export const OWN_SERVER = 'default';

/** An id that is unique because names contain no underscore. */
export function serverInPool(server: string | undefined, pool: string): string {
  return `${server ?? OWN_SERVER}_${pool}`;
}

/** The inverse of `serverInPool`; `pool` is undefined for the preset's server. */
export function partsOfServer(id: string | null | undefined): {
  server: string | undefined;
  pool: string | undefined;
} {
  const [server, pool] = id?.split('_') ?? [];
  return { server: server === OWN_SERVER ? undefined : server, pool };
}

export function configId({ server }: { server: string | undefined }): string {
  return server ?? OWN_SERVER;
}

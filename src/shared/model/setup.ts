import * as z from 'zod';
import { messageSchema } from '../message.ts';
import { FLAVORS, PATH_KINDS, STORAGE_KINDS } from './names.ts';
import { limitsSchema, storageSpecSchema } from './server-spec.ts';

/** 1-based. */
const placeSchema = z.object({ file: z.string(), line: z.number().int().min(1) });
export type Place = z.infer<typeof placeSchema>;

const setupStorageSchema = z.object({
  kind: z.enum(STORAGE_KINDS),
  /** What gives the same kind of place to Whalemark's own data; null if that can't be done, as `warnings` say. */
  spec: storageSpecSchema.nullable(),
  /** The volume's name, or the folder on the host. */
  place: z.string().nullable(),
  /** Of a volume: `local` is Docker's own. */
  driver: z.string().nullable(),
  datadir: z.string(),
  at: placeSchema.nullable(),
});

/** One way that clients reach the server: programs on the host, or another service. */
const setupPathSchema = z.object({
  kind: z.enum(PATH_KINDS),
  /** The service that connects; null: programs on the host. */
  client: z.string().nullable(),
  /** Published on the host. */
  port: z.number().int().nullable(),
  at: placeSchema.nullable(),
});
export type SetupPath = z.infer<typeof setupPathSchema>;

const setupServiceSchema = z.object({
  name: z.string(),
  flavor: z.enum(FLAVORS).nullable(),
  image: z.string(),
  /** `image` is what Compose calls the one that it builds. */
  built: z.boolean(),
  storage: setupStorageSchema,
  /** The main one: an application of the project if there is one, otherwise the host. */
  path: setupPathSchema,
  otherPaths: z.array(setupPathSchema),
  limits: limitsSchema,
  /** Options of the server program, from `command`, that can be measured; `warnings` name the others. */
  options: z.array(z.string()),
  /** Option files on the host, in the order that the server reads them. */
  configFiles: z.array(z.string()),
  /** Names only; no value is kept. */
  environment: z.array(z.string()),
  platform: z.string().nullable(),
  /** Of this service, on the engine; null: none, or no engine was asked. */
  container: z.object({ id: z.string(), running: z.boolean() }).nullable(),
  at: placeSchema.nullable(),
  warnings: z.array(messageSchema),
  /** Why it can't be measured; null: it can. */
  refusal: messageSchema.nullable(),
});
export type SetupService = z.infer<typeof setupServiceSchema>;

const setupSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('compose'), files: z.array(z.string()).min(1), project: z.string() }),
  z.object({
    kind: z.literal('container'),
    id: z.string(),
    name: z.string(),
    /** Of the container's Compose labels; empty: it was not started by Compose, or its files are gone. */
    files: z.array(z.string()),
    project: z.string().nullable(),
  }),
]);
export type SetupSource = z.infer<typeof setupSourceSchema>;

/** The same for every reading of the same files or container. */
export function setupKey(source: SetupSource): string {
  return source.kind === 'container' ? source.id : source.files.join('\n');
}

/** A user's own MySQL, as its Compose files or its container describe it. */
export const setupSchema = z.object({ source: setupSourceSchema, services: z.array(setupServiceSchema) });
export type Setup = z.infer<typeof setupSchema>;

/** Which service of which files a run measures; part of its plan. */
export const setupReferenceSchema = z.object({
  source: setupSourceSchema,
  service: z.string(),
});
export type SetupReference = z.infer<typeof setupReferenceSchema>;

/** One change of a Compose file, named like the effect that measures it. */
export const setupChangeSchema = z.object({
  factor: z.enum(['storage', 'path', 'server']),
  level: z.string(),
});
export type SetupChange = z.infer<typeof setupChangeSchema>;

/** A change of a Compose file that was measured as faster than the setup, with what it takes. */
const setupPatchSchema = z.object({
  change: setupChangeSchema,
  /** Of throughput; null bounds: no interval. */
  gain: z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() }),
  file: z.string(),
  /** Unified, as `git apply` reads it from the file's folder. */
  diff: z.string(),
  /** Shell commands, run by the user only: they move the data to the new place and back. */
  moves: z.object({ there: z.array(z.string()), back: z.array(z.string()) }),
  /** What becomes safer or less safe, and what else to know. */
  notes: z.array(messageSchema),
});
export type SetupPatch = z.infer<typeof setupPatchSchema>;

/** The best that loses no data is first; why the other changes have none. */
export const setupPatchesSchema = z.object({
  patches: z.array(setupPatchSchema),
  without: z.array(z.object({ change: setupChangeSchema, reason: messageSchema })),
});
export type SetupPatches = z.infer<typeof setupPatchesSchema>;

import * as z from 'zod';
import { messageSchema } from '../message.ts';
import { FLAVORS, PATH_KINDS, STORAGE_KINDS } from './names.ts';
import { limitsSchema, storageSpecSchema } from './server-spec.ts';

const placeSchema = z.object({ file: z.string(), line: z.number().int().min(1) });
export type Place = z.infer<typeof placeSchema>;

const databaseStorageSchema = z.object({
  kind: z.enum(STORAGE_KINDS),
  /** A storage of the same kind for Whalemark's own data; null: none. */
  spec: storageSpecSchema.nullable(),
  /** A volume's name, or a folder on the host. */
  place: z.string().nullable(),
  driver: z.string().nullable(),
  datadir: z.string(),
  at: placeSchema.nullable(),
});

const databasePathSchema = z.object({
  kind: z.enum(PATH_KINDS),
  /** Null: programs on the host connect. */
  client: z.string().nullable(),
  port: z.number().int().nullable(),
  at: placeSchema.nullable(),
});
export type DatabasePath = z.infer<typeof databasePathSchema>;

const databaseServiceSchema = z.object({
  name: z.string(),
  flavor: z.enum(FLAVORS).nullable(),
  image: z.string(),
  /** Compose builds `image`. */
  built: z.boolean(),
  /** `isAlways`: measured even if the engine has `image`, which starts in its own way. */
  official: z.object({ image: z.string(), isAlways: z.boolean() }).nullable(),
  storage: databaseStorageSchema,
  /** The path from the project's application, or else from the host. */
  path: databasePathSchema,
  otherPaths: z.array(databasePathSchema),
  limits: limitsSchema,
  /** `warnings` name the options that can't be measured. */
  options: z.array(z.string()),
  /** The server reads them in this order. */
  configFiles: z.array(z.string()),
  platform: z.string().nullable(),
  /** Null: there is no container, or no engine was asked. */
  container: z.object({ id: z.string(), running: z.boolean() }).nullable(),
  warnings: z.array(messageSchema),
  refusal: messageSchema.nullable(),
});
export type DatabaseService = z.infer<typeof databaseServiceSchema>;

const databaseSourceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('compose'),
    files: z.array(z.string()).min(1),
    profiles: z.array(z.string()).optional(),
    /** The variables' file, if it isn't the usual `.env`. */
    envFile: z.string().optional(),
    project: z.string(),
  }),
  z.object({
    kind: z.literal('container'),
    id: z.string(),
    name: z.string(),
    /** Compose files of its labels; empty: none, or they are gone. */
    files: z.array(z.string()),
    project: z.string().nullable(),
  }),
]);
export type DatabaseSource = z.infer<typeof databaseSourceSchema>;

export function databaseKey(source: DatabaseSource): string {
  return source.kind === 'container' ? source.id : source.files.join('\n');
}

export const databaseSchema = z.object({
  source: databaseSourceSchema,
  services: z.array(databaseServiceSchema),
});
export type Database = z.infer<typeof databaseSchema>;

/** A change, named like its effect; `together` has the text of several as its level. */
export const databaseChangeSchema = z.object({
  factor: z.enum(['storage', 'path', 'server', 'together', 'healthcheck']),
  level: z.string(),
});
export type DatabaseChange = z.infer<typeof databaseChangeSchema>;

/** Several changes have plus signs in between; undefined: no changes. */
export function changeOf(text: string): DatabaseChange | undefined {
  if (text.includes('+')) {
    const parts = text.split('+').map(changeOf);
    return parts.includes(undefined) ? undefined : { factor: 'together', level: text };
  }
  const [factor, ...level] = text.split('.');
  const { data } = databaseChangeSchema.safeParse({ factor, level: level.join('.') });
  return data === undefined || data.level === '' || data.factor === 'together' ? undefined : data;
}

export function changeId({ factor, level }: DatabaseChange): string {
  return factor === 'together' ? level : `${factor}.${level}`;
}

export function partsOf(change: DatabaseChange): DatabaseChange[] {
  if (change.factor !== 'together') return [change];
  return change.level.split('+').flatMap((part) => changeOf(part) ?? []);
}

export const databaseReferenceSchema = z.object({
  source: databaseSourceSchema,
  service: z.string(),
  together: databaseChangeSchema.optional(),
  /** Values of the user's server by variable: only numbers, sizes, and words of servers. */
  inEffect: z.record(z.string().regex(/^\w+$/), z.string()).optional(),
});
export type DatabaseReference = z.infer<typeof databaseReferenceSchema>;

const databaseOverrideSchema = z.object({
  change: databaseChangeSchema,
  /** Ratio of throughputs; null: not about speed, null bounds: no interval. */
  gain: z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable(),
  /** An absolute path. */
  file: z.string(),
  /** YAML, or an option file for DDEV. */
  text: z.string(),
  lines: z.array(placeSchema),
  /** Commands that try the change on a copy of moved data, and undo it. */
  moves: z.object({ there: z.array(z.string()), back: z.array(z.string()) }),
  notes: z.array(messageSchema),
});
export type DatabaseOverride = z.infer<typeof databaseOverrideSchema>;

/** The best override that loses no data is first. */
export const databaseOverridesSchema = z.object({
  overrides: z.array(databaseOverrideSchema),
  without: z.array(z.object({ change: databaseChangeSchema, reason: messageSchema })),
});
export type DatabaseOverrides = z.infer<typeof databaseOverridesSchema>;

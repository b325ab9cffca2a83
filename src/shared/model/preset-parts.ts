import * as z from 'zod';
import { DRIVER_KINDS, PATH_KINDS } from './names.ts';
import { bufferPoolSchema } from './server-spec.ts';
import { storageSpecSchema } from './storage-spec.ts';

/** What a preset, and everything that has a name in it, is called. */
export const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.~-]*$/,
    'use lower-case letters, digits, dots, tildes and hyphens, starting with a letter or digit',
  );

/** How often, and how long. */
export const scheduleSchema = z.strictObject({
  rounds: z
    .number()
    .int()
    .min(1)
    .max(100)
    .describe('How often every scenario is measured; three are the least that gives a useful interval.'),
  warmupSeconds: z.number().min(0).max(3600).describe('Load before each measurement, seconds.'),
  durationSeconds: z.number().min(1).max(86_400).describe('Each measurement, seconds.'),
  untilSettled: z
    .strictObject({
      budgetMinutes: z
        .number()
        .min(1)
        .max(7 * 24 * 60)
        .describe('No further round begins when it could not end within this time of measuring, minutes.'),
    })
    .optional()
    .describe(
      'End as soon as every comparison is settled, looked at after 3, 4, 6, 8, 12 … rounds; `rounds` are the most then.',
    ),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** A storage by its kind, by its name under `storages`, or with options in place. */
export const storageRefSchema = z.union([slug, storageSpecSchema]);
export type StorageRef = z.infer<typeof storageRefSchema>;

/** What these fields are, wherever they stand. */
export const PATH_TEXT = 'How the client reaches the server.';
export const DRIVER_TEXT = 'What produces the load.';

/** One scenario of a preset. */
export const scenarioSpecSchema = z.strictObject({
  id: slug.optional().describe('Without it server.storage.path.driver, of what is given here.'),
  name: z.string().min(1).optional().describe('For people.'),
  server: slug.optional().describe("One of `servers`; without it the preset's own server."),
  storage: storageRefSchema.describe('Where the datadir lives.'),
  path: z.enum(PATH_KINDS).describe(PATH_TEXT),
  driver: z.enum(DRIVER_KINDS).optional().describe(DRIVER_TEXT),
  clientNode: z
    .string()
    .min(1)
    .optional()
    .describe(
      "On a swarm: the node that the client runs on, by its host name, or `other`: any but the server's.",
    ),
});

/** How many connections work at the same time. */
export const connections = z.number().int().min(1).max(512);
/** How many transactions begin, per second. */
export const rate = z.number().min(0.1).max(1_000_000);
/** What a preset has that names neither `connections` nor a `ramp`. */
export const DEFAULT_CONNECTIONS = 8;
/** Numbers of connections to measure everything with, one after the other. */
export const rampSchema = z
  .array(connections)
  .min(2, 'a ramp has 2 to 12 levels')
  .max(12, 'a ramp has 2 to 12 levels')
  .refine(
    (levels) => levels.every((level, index) => index === 0 || level > (levels[index - 1] ?? 0)),
    // A level that is there twice would make every id be there twice.
    { error: 'each level must have more connections than the one before it', abort: true },
  );
/** Sizes of the buffer pool to compare within, by name. */
export const regimesSchema = z.record(
  slug,
  z.strictObject({
    name: z.string().min(1).describe('For people, for example "I/O-bound".'),
    bufferPool: bufferPoolSchema,
  }),
);

/** What the short form of a preset changes: laid over the preset, field by field. */
export const shortSchema = z.strictObject({
  schedule: scheduleSchema.describe('The short schedule.'),
  connections: connections.optional().describe('Fewer connections.'),
  rate: rate.optional().describe('Another rate.'),
  ramp: rampSchema.optional().describe('Fewer levels.'),
  workload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Fields of `workload` that change, fewer rows for example.'),
  server: z.record(z.string(), z.unknown()).optional().describe('Fields of `server` that change.'),
  servers: z
    .record(slug, z.record(z.string(), z.unknown()))
    .optional()
    .describe('Fields of `servers` that change, by name.'),
  regimes: z
    .record(slug, z.record(z.string(), z.unknown()))
    .optional()
    .describe('Fields of `regimes` that change, by name.'),
});

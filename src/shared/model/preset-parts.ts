import * as z from 'zod';
import type { MessageCode } from '../message.ts';
import { LOAD_GENERATORS, PATH_KINDS } from './names.ts';
import { bufferPoolSchema } from './server-settings.ts';
import { serverOverrideSchema, serverSpecSchema, storageSpecSchema } from './server-spec.ts';
import { presetTaskSchema } from './task.ts';
import { workloadSchema } from './workload.ts';

export const slug = z.string().regex(/^[a-z0-9][a-z0-9.~-]*$/, 'field.id' satisfies MessageCode);

export const MOST_ROUNDS = 100;

export const scheduleSchema = z.strictObject({
  rounds: z
    .number()
    .int()
    .min(1)
    .max(MOST_ROUNDS)
    .describe(
      'How often each scenario is measured; use at least three. If measured side by side until conclusive: the most starts of each server.',
    ),
  warmupSeconds: z.number().min(0).max(3600).describe('Seconds of load before each measurement.'),
  durationSeconds: z
    .number()
    .min(1)
    .max(86_400)
    .describe(
      'Seconds of each measurement. If measured side by side until conclusive: the least for each scenario before the servers start again.',
    ),
  sliceSeconds: z
    .number()
    .min(0.2)
    .max(60)
    .optional()
    .describe(
      'Measures side by side: the servers of a round take turns of this many seconds until each has been measured for `durationSeconds`. Each pass has a new random order. With `untilConclusive`, they continue until new servers tell more. Default: each measurement is made alone and without a pause.',
    ),
  untilConclusive: z
    .strictObject({
      budgetMinutes: z
        .number()
        .min(0.5)
        .max(7 * 24 * 60)
        .describe(
          'Most minutes of measuring. No round or pass begins that could not end in time. Side by side, slices count, and starts do not.',
        ),
    })
    .optional()
    .describe(
      'Ends the run as soon as every effect is conclusive, which is checked after each round or pass from the third on. It ends after `rounds` at the latest. With a published experiment, its claims have to be decided instead; with a single scenario, its speed has to be known.',
    ),
});

const PATH_TEXT = 'How the client reaches the server.';

const scenarioSpecSchema = z.strictObject({
  id: slug
    .optional()
    .describe('ID of the scenario. Default: server.storage.path, without a server that is not given.'),
  name: z.string().min(1).optional().describe('Name to show.'),
  server: slug.optional().describe("Name in `servers`. Default: the preset's `server`."),
  storage: slug.describe('Kind of storage for the data directory, or a name in `storages`.'),
  path: z.enum(PATH_KINDS).describe(PATH_TEXT),
});

export const connections = z.number().int().min(1).max(512);
export const DEFAULT_CONNECTIONS = 8;
export const sweepSchema = z
  .array(connections)
  .min(2, 'preset.sweepLevels' satisfies MessageCode)
  .max(12, 'preset.sweepLevels' satisfies MessageCode)
  .refine(
    (levels) => levels.every((level, index) => index === 0 || level > (levels[index - 1] ?? 0)),
    // A repeated level would repeat ids.
    { error: 'preset.sweepRises' satisfies MessageCode, abort: true },
  );
const bufferPoolsSchema = z.record(
  slug,
  z.strictObject({
    name: z.string().min(1).describe('Name to show, such as "I/O-bound".'),
    bufferPool: bufferPoolSchema,
  }),
);

export const MOST_ENGINES = 4;
export const enginesSchema = z.union([
  z.literal('all'),
  z.array(z.string().min(1).max(1024)).min(2).max(MOST_ENGINES),
]);

const loadGeneratorSchema = z.union([z.enum(LOAD_GENERATORS), z.array(z.enum(LOAD_GENERATORS)).min(2)]);

const smallSchema = z.strictObject({
  scale: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Factor for the number of rows, and for buffer pools and redo logs in MiB.'),
  warmupSeconds: scheduleSchema.shape.warmupSeconds,
  durationSeconds: scheduleSchema.shape.durationSeconds,
  sliceSeconds: scheduleSchema.shape.sliceSeconds,
  untilConclusive: scheduleSchema.shape.untilConclusive,
  loadGenerator: loadGeneratorSchema
    .optional()
    .describe("Load generator of the small form. Default: the full form's."),
});

export const presetObjectSchema = z.strictObject({
  whalemark: z
    .literal(1, {
      error: ({ input }) =>
        typeof input === 'number' && input > 1 ? ('preset.newer' satisfies MessageCode) : undefined,
    })
    .describe('Version of this format.'),
  id: slug.describe(
    'ID of the preset in a terminal and in results: lower-case letters, digits, dots, tildes, and hyphens. It begins with a letter or a digit.',
  ),
  name: z.string().min(1).describe('Name to show.'),
  question: z.string().min(1).describe('The question that this preset answers.'),
  server: serverSpecSchema.prefault({}).describe('Server of every scenario that names no other.'),
  servers: z
    .record(slug, serverOverrideSchema)
    .default({})
    .describe('More servers by name. Each has the fields in which it differs from `server`.'),
  storages: z.record(slug, storageSpecSchema).default({}).describe('Storages with options, by name.'),
  workload: workloadSchema.prefault({}).describe('Load, and the data that it works on.'),
  connections: connections
    .optional()
    .describe(
      `Connections that work at the same time, without pauses. Default: ${DEFAULT_CONNECTIONS}. Not together with \`sweep\`.`,
    ),
  sweep: sweepSchema
    .optional()
    .describe(
      'Increasing numbers of connections. Every scenario is measured with each; only scenarios with the same number are compared.',
    ),
  engines: enginesSchema
    .optional()
    .describe(
      'Docker contexts or engine IDs. Every scenario is measured on each, side by side; the first is the reference. `all`: every usable engine of this machine.',
    ),
  clientEngine: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      "Docker context or engine ID of another node of the engine's swarm, on which the client of the path `overlay-other-node` runs.",
    ),
  task: presetTaskSchema
    .optional()
    .describe(
      'Task to time instead of load, each time on a new server with a new copy of the data. Scenarios are compared by this time.',
    ),
  loadGenerator: loadGeneratorSchema
    .default('builtin')
    .describe(
      'Program that produces the load. With a list, every scenario is measured with each, and compared with the baseline of the same one.',
    ),
  grid: z
    .strictObject({
      servers: z.array(slug).min(1).optional().describe('Names in `servers`.'),
      storages: z.array(slug).min(1).describe('Kinds of storage, or names in `storages`.'),
      paths: z.array(z.enum(PATH_KINDS)).min(1).describe(PATH_TEXT),
    })
    .optional()
    .describe('Scenarios of every storage with every path, and with every server if `servers` names some.'),
  scenarios: z.array(scenarioSpecSchema).default([]).describe("Single scenarios in addition to the grid's."),
  bufferPools: bufferPoolsSchema
    .default({})
    .describe(
      'Buffer-pool sizes. Every scenario is measured with each; only scenarios with the same size are compared.',
    ),
  baseline: z
    .union([slug, z.array(slug).min(1)])
    .describe(
      'ID of the scenario that the others are compared with, without load generator, buffer-pool size, and number of connections. In a grid, IDs are storage.path, or server.storage.path if it names servers. Of a list, the first that can run is the baseline.',
    ),
  aaCheck: z
    .boolean()
    .default(true)
    .describe('Measures the baseline a second time as another scenario (A/A check), which shows the noise.'),
  equivalence: z
    .number()
    .min(0.005)
    .max(0.5)
    .default(0.05)
    .describe(
      'Differences up to this share are not meaningful: with 0.05, 0.952 to 1.05 times the throughput. For storage types, the margin is twice as large.',
    ),
  schedule: scheduleSchema.describe('Rounds and durations.'),
  small: smallSchema
    .optional()
    .describe(
      'Small form for a laptop, with less data and memory, shorter measurements, and at most 3 rounds.',
    ),
  reference: z
    .strictObject({
      id: slug.describe('ID of a published experiment that comes with Whalemark.'),
      cells: z
        .record(slug, z.string())
        .describe(
          'Cell of the experiment for each scenario. IDs include buffer-pool size and number of connections if there are several, and may include the load generator.',
        ),
    })
    .optional()
    .describe('Published results to show next to yours.'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .optional()
    .describe('Random seed for trial order and row IDs. Default: new for each plan.'),
});
export type PresetObject = z.infer<typeof presetObjectSchema>;

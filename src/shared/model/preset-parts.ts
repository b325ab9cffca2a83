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
      'How often every scenario is measured; use at least three. Side by side until conclusive: how often the servers start, at most.',
    ),
  warmupSeconds: z.number().min(0).max(3600).describe('Load before each measurement, seconds.'),
  durationSeconds: z
    .number()
    .min(1)
    .max(86_400)
    .describe(
      'Each measurement, seconds. Side by side until conclusive: of each scenario before the servers start again, at least.',
    ),
  sliceSeconds: z
    .number()
    .min(0.2)
    .max(60)
    .optional()
    .describe(
      'Measure side by side: the servers of a round take turns of this length, until each has been measured for `durationSeconds`. With `untilConclusive` they continue until it pays to start them again. Each pass has a new random order. Without it, each measurement is made alone, without a pause.',
    ),
  untilConclusive: z
    .strictObject({
      budgetMinutes: z
        .number()
        .min(0.5)
        .max(7 * 24 * 60)
        .describe(
          'Time limit of measuring, minutes: no round or pass begins that could not end within it. Side by side it counts slices, not starts.',
        ),
    })
    .optional()
    .describe(
      'End when every effect is conclusive, checked after each round or pass from the third on, and after `rounds` at the latest. Of a published experiment, what it says is decided; of a single scenario, its speed is known.',
    ),
});

const PATH_TEXT = 'How the client reaches the server.';

const scenarioSpecSchema = z.strictObject({
  id: slug.optional().describe('Default: server.storage.path, as far as they are given here.'),
  name: z.string().min(1).optional().describe('Name that people see.'),
  server: slug.optional().describe("One of `servers`; default: the preset's `server`."),
  storage: slug.describe('Storage of the data directory: a kind, or a name in `storages`.'),
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
    name: z.string().min(1).describe('Name that people see, such as "I/O-bound".'),
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
    .describe('Factor for the rows and for buffer pools and redo logs in MiB.'),
  warmupSeconds: scheduleSchema.shape.warmupSeconds,
  durationSeconds: scheduleSchema.shape.durationSeconds,
  sliceSeconds: scheduleSchema.shape.sliceSeconds,
  untilConclusive: scheduleSchema.shape.untilConclusive,
  loadGenerator: loadGeneratorSchema.optional().describe('What produces its load. Default: as in full.'),
});

export const presetObjectSchema = z.strictObject({
  whalemark: z
    .literal(1, {
      error: ({ input }) =>
        typeof input === 'number' && input > 1 ? ('preset.newer' satisfies MessageCode) : undefined,
    })
    .describe('Version of this format.'),
  id: slug.describe(
    'Name of the preset in a terminal and in results: lower-case letters, digits, dots, tildes, and hyphens; the first is a letter or digit.',
  ),
  name: z.string().min(1).describe('Name that people see.'),
  question: z.string().min(1).describe('The question that this preset answers.'),
  server: serverSpecSchema.prefault({}).describe('The server of every scenario that names no other.'),
  servers: z
    .record(slug, serverOverrideSchema)
    .default({})
    .describe('Further servers by name; each changes fields of `server`.'),
  storages: z.record(slug, storageSpecSchema).default({}).describe('Storages with options, by name.'),
  workload: workloadSchema.prefault({}).describe('The load and its data.'),
  connections: connections
    .optional()
    .describe(
      `Connections that work at the same time, each without a pause. Default: ${DEFAULT_CONNECTIONS}. Not with \`sweep\`.`,
    ),
  sweep: sweepSchema
    .optional()
    .describe(
      'Numbers of connections, increasing: every scenario is measured with each. Only scenarios with the same number are compared.',
    ),
  engines: enginesSchema
    .optional()
    .describe(
      'Docker contexts or engine IDs: every scenario is measured on each, side by side; the first is the reference. `all`: every usable engine of this machine.',
    ),
  clientEngine: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      "Docker context or engine ID of another node of the engine's swarm: the client of the path `overlay-other-node` runs there.",
    ),
  task: presetTaskSchema
    .optional()
    .describe(
      'Something that ends, measured instead of load: each time on a new server with a new copy of the data. Scenarios are then compared by time.',
    ),
  loadGenerator: loadGeneratorSchema
    .default('builtin')
    .describe(
      'What produces the load. A list: every scenario is measured with each, and compared with the baseline of the same one.',
    ),
  grid: z
    .strictObject({
      servers: z.array(slug).min(1).optional().describe('Names of `servers`.'),
      storages: z.array(slug).min(1).describe('Kinds of storage, or names of `storages`.'),
      paths: z.array(z.enum(PATH_KINDS)).min(1).describe(PATH_TEXT),
    })
    .optional()
    .describe('Every storage with every path, and with every server if several are named.'),
  scenarios: z.array(scenarioSpecSchema).default([]).describe("Single scenarios, in addition to the grid's."),
  bufferPools: bufferPoolsSchema
    .default({})
    .describe('Every scenario is measured in each of these. Only scenarios with the same one are compared.'),
  baseline: z
    .union([slug, z.array(slug).min(1)])
    .describe(
      'ID of the scenario that the others are compared with, without load generator, buffer-pool size, and number of connections. In a grid, IDs are storage.path, or server.storage.path if it names servers. In a list, the first that can run.',
    ),
  aaCheck: z
    .boolean()
    .default(true)
    .describe('Measure the baseline a second time, as another scenario (the A/A check).'),
  equivalence: z
    .number()
    .min(0.005)
    .max(0.5)
    .default(0.05)
    .describe(
      'Differences up to this share count as the same: with 0.05, 0.952 to 1.05 times the throughput. Storage types have twice as much.',
    ),
  schedule: scheduleSchema.describe('Rounds and durations.'),
  small: smallSchema
    .optional()
    .describe(
      'A small form for a laptop: less data and memory, short trials or slices, and at most 3 rounds.',
    ),
  reference: z
    .strictObject({
      id: slug.describe('A published experiment that is part of Whalemark.'),
      cells: z
        .record(slug, z.string())
        .describe(
          'Its cell for each scenario; IDs with buffer-pool size and number of connections if there are several, with or without load generator.',
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

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
    .describe('How often every scenario is measured; three are the least that gives a useful interval.'),
  warmupSeconds: z.number().min(0).max(3600).describe('Load before each measurement, seconds.'),
  durationSeconds: z.number().min(1).max(86_400).describe('Each measurement, seconds.'),
  sliceSeconds: z
    .number()
    .min(0.2)
    .max(60)
    .optional()
    .describe(
      'Measure side by side: the servers of a round all run and take turns of this length, in a random order in each pass, until each has been measured for `durationSeconds`. Without it each measurement is made alone, in one piece.',
    ),
  untilConclusive: z
    .strictObject({
      budgetMinutes: z
        .number()
        .min(1)
        .max(7 * 24 * 60)
        .describe('No further round begins when it could not end within this time of measuring, minutes.'),
    })
    .optional()
    .describe(
      'End as soon as every effect is conclusive, checked after each round or pass from the third on; `rounds` are the most then.',
    ),
});

const PATH_TEXT = 'How the client reaches the server.';
const LOAD_GENERATOR_TEXT = 'What produces the load.';

const scenarioSpecSchema = z.strictObject({
  id: slug.optional().describe('Without it server.storage.path.loadGenerator, of what is given here.'),
  name: z.string().min(1).optional().describe('For people.'),
  server: slug.optional().describe("One of `servers`; without it the preset's own server."),
  storage: slug.describe('Where the datadir lives: a kind, or a name under `storages`.'),
  path: z.enum(PATH_KINDS).describe(PATH_TEXT),
  loadGenerator: z.enum(LOAD_GENERATORS).optional().describe(LOAD_GENERATOR_TEXT),
  clientNode: z
    .string()
    .min(1)
    .optional()
    .describe(
      "On a swarm: the node that the client runs on, by its host name, or `other`: any but the server's.",
    ),
});

export const connections = z.number().int().min(1).max(512);
export const rate = z.number().min(0.1).max(1_000_000);
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
    name: z.string().min(1).describe('For people, for example "I/O-bound".'),
    bufferPool: bufferPoolSchema,
  }),
);

export const enginesSchema = z.union([z.literal('all'), z.array(z.string().min(1).max(1024)).min(2).max(4)]);

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
});

export const presetObjectSchema = z.strictObject({
  whalemark: z
    .literal(1, {
      error: ({ input }) =>
        typeof input === 'number' && input > 1 ? ('preset.newer' satisfies MessageCode) : undefined,
    })
    .describe('Version of this format.'),
  id: slug.describe(
    'What the preset is called in a terminal and in a result: lower-case letters, digits, dots, tildes and hyphens, beginning with a letter or digit.',
  ),
  name: z.string().min(1).describe('For people.'),
  question: z.string().min(1).describe("The question that this preset answers, in its user's words."),
  server: serverSpecSchema
    .prefault({})
    .describe('The server that every scenario runs unless it names another.'),
  servers: z
    .record(slug, serverOverrideSchema)
    .default({})
    .describe('Further servers by name; each changes fields of `server`.'),
  storages: z.record(slug, storageSpecSchema).default({}).describe('Storages with options, by name.'),
  workload: workloadSchema.prefault({}).describe('What the load does, and the data it does it with.'),
  connections: connections
    .optional()
    .describe(
      `Connections that work at the same time, each without a pause; ${DEFAULT_CONNECTIONS} without it. Not beside \`sweep\`.`,
    ),
  sweep: sweepSchema
    .optional()
    .describe(
      'Numbers of connections, rising: every scenario once with each of these; comparisons stay within one.',
    ),
  rate: rate
    .optional()
    .describe(
      'Transactions per second that begin at random, planned moments, whether earlier ones are answered or not; scenarios are then compared by latency. Without it every connection asks again as soon as it is answered, and they are compared by throughput.',
    ),
  engines: enginesSchema
    .optional()
    .describe(
      'Docker contexts or engine IDs: every scenario once on each of these, side by side; the first is the reference. `all`: every usable engine of this machine.',
    ),
  task: presetTaskSchema
    .optional()
    .describe(
      'Something that ends, timed in place of load: each time on a new server with a new copy of the data. Scenarios are then compared by time.',
    ),
  loadGenerator: z.enum(LOAD_GENERATORS).default('builtin').describe(LOAD_GENERATOR_TEXT),
  grid: z
    .strictObject({
      servers: z.array(slug).min(1).optional().describe('Names of `servers`.'),
      storages: z.array(slug).min(1).describe('Kinds of storage, or names of `storages`.'),
      paths: z.array(z.enum(PATH_KINDS)).min(1).describe(PATH_TEXT),
    })
    .optional()
    .describe('Every storage with every path, and with every server where several are named.'),
  scenarios: z.array(scenarioSpecSchema).default([]).describe("Scenarios one by one; added to the grid's."),
  bufferPools: bufferPoolsSchema
    .default({})
    .describe('Every scenario once in each of these; comparisons stay within one.'),
  baseline: z
    .union([slug, z.array(slug).min(1)])
    .describe(
      "Id of the scenario that the others are compared with, without buffer-pool size and level; a grid's ids are storage.path, or server.storage.path where servers are named. Of several the first that can run.",
    ),
  aaCheck: z
    .boolean()
    .default(true)
    .describe('Measure the baseline a second time as if it were another scenario (an A/A pair).'),
  equivalence: z
    .number()
    .min(0.005)
    .max(0.5)
    .default(0.05)
    .describe(
      'Differences up to this share do not matter: 0.05 calls 0.952 to 1.05 times the throughput the same.',
    ),
  schedule: scheduleSchema.describe("The experiment's own schedule."),
  small: smallSchema
    .optional()
    .describe('A small form for a laptop: less data and memory, short trials, and at most 3 rounds.'),
  reference: z
    .strictObject({
      id: slug.describe('A published experiment that comes with Whalemark.'),
      cells: z
        .record(slug, z.string())
        .describe('Which scenario is which of its cells; ids with buffer-pool size and level.'),
    })
    .optional()
    .describe('Published numbers to show beside.'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .optional()
    .describe('Of the order of trials and of random ids; drawn anew for each plan without it.'),
  bindRoot: z
    .string()
    .min(1)
    .optional()
    .describe("Folder in which bind mounts and native datadirs are made; default: the app's data folder."),
});
export type PresetObject = z.infer<typeof presetObjectSchema>;

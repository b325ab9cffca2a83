import * as z from 'zod';
import { messageSchema } from '../message.ts';
import { momentSchema } from './moment.ts';
import { DISTRIBUTIONS } from './names.ts';

export const IMPORT_FORMAT = 'whalemark-import';
export const IMPORT_VERSION = 1;

/** The generations of sysbench whose outputs differ; 1.1 is what its master branch calls itself. */
const SYSBENCH_SERIES = ['0.4', '0.5', '1.0', '1.1'] as const;
export type SysbenchSeries = (typeof SYSBENCH_SERIES)[number];

const value = z.number().nonnegative().nullable();
const percentileSchema = z.object({ rank: z.number().positive().max(100), value: z.number().nonnegative() });

/** One interval line; rates are per second, latencies in µs, and null is what the line doesn't hold. */
const importedWindowSchema = z.object({
  startSeconds: z.number().nonnegative(),
  durationSeconds: z.number().positive(),
  threads: value,
  tps: z.number().nonnegative(),
  qps: value,
  reads: value,
  writes: value,
  other: value,
  latencyUs: percentileSchema.nullable(),
  errorsPerSecond: value,
  reconnectsPerSecond: value,
});
export type ImportedWindow = z.infer<typeof importedWindowSchema>;

/** One run of sysbench as its text tells it; null is what the text doesn't hold. */
export const importedRunSchema = z.object({
  tps: value,
  qps: value,
  transactions: value,
  /** 0.4 calls them deadlocks. */
  ignoredErrors: value,
  reconnects: value,
  latencyUs: z.object({
    min: value,
    avg: value,
    max: value,
    /** null as well when the run had percentiles switched off. */
    percentile: percentileSchema.nullable(),
  }),
  windows: z.array(importedWindowSchema),
  notes: z.array(messageSchema),
  version: z.enum(SYSBENCH_SERIES).nullable(),
  /** As the header has it, for example "1.0.20"; null when `version` was told from the format. */
  versionText: z.string().nullable(),
  threads: value,
  /** The total time that the report prints. */
  seconds: value,
  events: value,
  reads: value,
  writes: value,
  other: value,
  distribution: z.enum(DISTRIBUTIONS).nullable(),
  /** The script's name, if the text says it: "oltp_read_write", "oltp", "tpcc". */
  workload: z.string().nullable(),
  /** Where the run begins in the text. */
  line: z.number().int().positive(),
});
export type ImportedRun = z.infer<typeof importedRunSchema>;

/** An imported text as it is stored: its figures, not the text. */
export const importedFileSchema = z.object({
  format: z.literal(IMPORT_FORMAT),
  version: z.literal(IMPORT_VERSION),
  id: z.string(),
  /** The file's name, or what the user calls it. */
  name: z.string(),
  importedAt: momentSchema,
  runs: z.array(importedRunSchema),
});
export type ImportedFile = z.infer<typeof importedFileSchema>;

import * as z from 'zod';
import { momentSchema } from './moment.ts';
import { DISTRIBUTIONS } from './names.ts';

export const IMPORT_FORMAT = 'whalemark-import';
export const IMPORT_VERSION = 1;

/** The generations of sysbench whose outputs differ; 1.1 is what its master branch calls itself. */
const SYSBENCH_SERIES = ['0.4', '0.5', '1.0', '1.1'] as const;
export type SysbenchSeries = (typeof SYSBENCH_SERIES)[number];

/** Why an imported figure doesn't compare with another one as it stands. */
const IMPORT_NOTE_CODES = [
  /** 0.4's complex mode: five writes and 21 statements a transaction, where later generations have four and 20. */
  'STATEMENTS_21',
  /** How row ids were drawn is not in the text, and the defaults differ between generations. */
  'DISTRIBUTION_UNKNOWN',
  /** sysbench-tpcc: most of its ignored errors are wanted rollbacks. */
  'TPCC',
  /** Only interval lines: rates are their mean. */
  'NO_FINAL',
  /** Only a final report: no course over time. */
  'NO_INTERVALS',
  /** The final report is not whole. */
  'PARTIAL',
  /** A printed rate is not its count divided by the time. */
  'TOTALS_DISAGREE',
  /** `--rate`: throughput was given, not found. */
  'RATE_LIMITED',
  /** Counters were reset on the way (`--report-checkpoints`). */
  'CHECKPOINT',
  /** sysbench stopped with an error. */
  'ENDED_BY_ERROR',
  /** A test of processor, memory or files. */
  'NOT_SQL',
  /** No transaction counts: events are taken for transactions. */
  'EVENTS_AS_TRANSACTIONS',
  /** Latencies without the percentile that they stand for. */
  'RANK_UNKNOWN',
  /** A percentile above the maximum: the upper border of a histogram's bucket. */
  'PERCENTILE_ABOVE_MAX',
] as const;
export type ImportNoteCode = (typeof IMPORT_NOTE_CODES)[number];

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

const importNoteSchema = z.object({
  code: z.enum(IMPORT_NOTE_CODES),
  /** A sentence for the reader. */
  message: z.string(),
});
export type ImportNote = z.infer<typeof importNoteSchema>;

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
  notes: z.array(importNoteSchema),
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

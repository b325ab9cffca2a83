import * as z from 'zod';
import { messageSchema } from '../message.ts';
import { DISTRIBUTIONS } from './names.ts';

/** sysbench generations with different outputs; master calls itself 1.1. */
const SYSBENCH_SERIES = ['0.4', '0.5', '1.0', '1.1'] as const;
export type SysbenchSeries = (typeof SYSBENCH_SERIES)[number];

const value = z.number().nonnegative().nullable();
const percentileSchema = z.object({ rank: z.number().positive().max(100), value: z.number().nonnegative() });

/** An interval line; rates per second, latencies in µs; null: not in the line. */
const importedWindowSchema = z.object({
  startSeconds: z.number().nonnegative(),
  durationSeconds: z.number().positive(),
  threads: value,
  tps: z.number().nonnegative(),
  qps: value,
  latencyUs: percentileSchema.nullable(),
  errorsPerSecond: value,
});
export type ImportedWindow = z.infer<typeof importedWindowSchema>;

export const importedRunSchema = z.object({
  tps: value,
  qps: value,
  transactions: value,
  ignoredErrors: value,
  reconnects: value,
  latencyUs: z.object({
    min: value,
    avg: value,
    max: value,
    percentile: percentileSchema.nullable(),
  }),
  windows: z.array(importedWindowSchema),
  notes: z.array(messageSchema),
  version: z.enum(SYSBENCH_SERIES).nullable(),
  versionText: z.string().nullable(),
  threads: value,
  seconds: value,
  reads: value,
  writes: value,
  other: value,
  distribution: z.enum(DISTRIBUTIONS).nullable(),
  workload: z.string().nullable(),
  line: z.number().int().positive(),
});
export type ImportedRun = z.infer<typeof importedRunSchema>;

import * as z from 'zod';
import { complaint } from '../field-problems.ts';
import { TPCC_TYPES } from './workload.ts';
import { isHistogram, latencySchema } from '../histogram/histogram.ts';
import { STATEMENT_KINDS, TRANSPORTS } from './names.ts';

const counts = {
  /** Completed transactions (sysbench events). */
  transactions: z.number().int(),
  /** Statements by result: a result set, changed rows, anything else. */
  reads: z.number().int(),
  writes: z.number().int(),
  other: z.number().int(),
  /** Ignored errors by code (1213, 1020, 1205), whose transactions were retried. */
  errors: z.record(z.string(), z.number().int()),
  /** Intentional rollbacks (TPC-C: 1% of new orders), part of `transactions`. */
  rollbacks: z.number().int(),
  mix: z.record(z.string(), z.number().int()),
};

export const windowSchema = z.object({
  phase: z.enum(['warmup', 'measure']),
  index: z.number().int(),
  startMs: z.number(),
  durationMs: z.number(),
  ...counts,
  latency: latencySchema.nullable(),
  /** The client did not run all the time, so the window counts nowhere. */
  interrupted: z.boolean(),
  /** Side by side: numbers of the slice and of its turn, from 1. */
  pass: z.number().int().optional(),
  position: z.number().int().optional(),
});
export type Window = z.infer<typeof windowSchema>;

const clientHealthSchema = z.object({
  /** Absent for sysbench. */
  transport: z.enum(TRANSPORTS).optional(),
  node: z.string().optional(),
  /** CPU seconds while measuring, and each worker's share of one core. */
  cpuSeconds: z.number(),
  cpuShare: z.number(),
  /** Share of time that threads or workers waited for a core; absent: not counted. */
  waitShare: z.number().optional(),
  loopDelayP99Us: z.number(),
  workers: z.number().int(),
  /** Garbage collection of all workers while measuring, and the longest pause. */
  gcSeconds: z.number(),
  gcMaxUs: z.number(),
});
export type ClientHealth = z.infer<typeof clientHealthSchema>;

/** Sums of uninterrupted `measure` windows; side by side, of slices that have ended. */
export const totalsSchema = z.object({
  durationMs: z.number(),
  /** Interrupted windows, which count nowhere else. */
  excludedMs: z.number(),
  connections: z.number().int(),
  /** Transactions that began before a connection counted, or ended after it did. */
  uncounted: z.number().int(),
  /** Transactions were under way seconds after the end, so all figures lack them. */
  isCut: z.boolean().optional(),
  ...counts,
  latency: latencySchema.nullable(),
  /** HDR histogram of latencies, µs (V2, compressed, base64); empty if latency is null. */
  histogram: z.string(),
  /** Histograms by kind; empty: statements aren't timed. */
  statements: z.partialRecord(z.enum(STATEMENT_KINDS), z.string()),
  /** Histograms by type, repetitions included; empty without types. */
  transactionTypes: z.partialRecord(z.enum(TPCC_TYPES), z.string()),
  client: clientHealthSchema,
});
export type Totals = z.infer<typeof totalsSchema>;

export function unreadableHistograms({ histogram, ...parts }: Totals): string[][] {
  const all: [string[], string][] = [
    [['histogram'], histogram],
    ...(['statements', 'transactionTypes'] as const).flatMap((part) =>
      Object.entries(parts[part]).map(([kind, one]): [string[], string] => [[part, kind], one]),
    ),
  ];
  return all.flatMap(([path, one]) => (isHistogram(one) ? [] : [path]));
}

/** Untrusted sources need validated histograms. */
export const checkedTotalsSchema = totalsSchema.superRefine((totals, context) => {
  for (const path of unreadableHistograms(totals)) {
    context.addIssue(complaint(path, 'field.notHistogram'));
  }
});

export interface Amount extends Pick<Totals, 'transactions' | 'durationMs'> {
  /** Cores that other programs and the hypervisor used; absent: unknown. */
  others?: number | undefined;
}

/** Transactions per second; 0 without a duration. */
export function tps(part: Amount): number {
  return part.durationMs > 0 ? (part.transactions * 1000) / part.durationMs : 0;
}

export const sliceSchema = z.object({
  pass: z.number().int(),
  position: z.number().int(),
  transactions: z.number().int(),
  durationMs: z.number(),
  /** Servers that ran although they should have been paused; absent: none. */
  awake: z.number().int().optional(),
  /** Cores that other programs used, and steal; absent: unknown. */
  others: z.number().optional(),
});
export type Slice = z.infer<typeof sliceSchema>;

/** Statements per second; 0 without a duration. */
export function qps(part: Pick<Window | Totals, 'reads' | 'writes' | 'other' | 'durationMs'>): number {
  return part.durationMs > 0 ? ((part.reads + part.writes + part.other) * 1000) / part.durationMs : 0;
}

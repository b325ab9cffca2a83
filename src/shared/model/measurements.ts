import * as z from 'zod';
import { complaint } from '../field-problems.ts';
import { isHistogram, latencySchema } from '../histogram/histogram.ts';

const counts = {
  /** Transactions (sysbench events) that were completed. */
  transactions: z.number().int(),
  /** Statements by result: a result set, changed rows, anything else. */
  reads: z.number().int(),
  writes: z.number().int(),
  other: z.number().int(),
  /** Server error code → how often; ignored errors only (1213, 1020, 1205), their transaction was run again. */
  errors: z.record(z.string(), z.number().int()),
  /**
   * Transactions that the workload itself rolled back on purpose (TPC-C: 1 % of new orders); part of `transactions`.
   */
  rollbacks: z.number().int(),
  /** Transactions by their type, where a workload has several (TPC-C). */
  mix: z.record(z.string(), z.number().int()),
};

/** What a statement of the load does; a statement's time runs from sending it to the last byte of its answer. */
export const STATEMENT_KINDS = ['point', 'range', 'update', 'delete', 'insert', 'begin', 'commit'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** What the server's container used in a window; null is what the kernel does not count. */
const containerUseSchema = z.object({
  /** Mean number of cores that worked for it. */
  cores: z.number().nullable(),
  /** Bytes per second that reached block devices, or came from them. */
  blockReadPerSecond: z.number().nullable(),
  blockWritePerSecond: z.number().nullable(),
});
export type ContainerUse = z.infer<typeof containerUseSchema>;

/** One second of a trial. */
export const windowSchema = z.object({
  phase: z.enum(['warmup', 'measure']),
  /** Counts from 0 in each phase. */
  index: z.number().int(),
  /** Start of the window after the start of its phase, ms. */
  startMs: z.number(),
  durationMs: z.number(),
  ...counts,
  /** Null when no transaction was completed in this window. */
  latency: latencySchema.nullable(),
  /**
   * HDR histogram of transaction latencies (µs, 3 significant digits, V2 compressed base64); '' when latency is null.
   */
  histogram: z.string(),
  /**
   * The client did not run for a part of it – the machine was paused, asleep or starved –, so that it counts nowhere.
   */
  interrupted: z.boolean(),
  /** At a fixed rate: transactions that were due and not begun when the window ended. */
  waiting: z.number().int().nullable(),
  /** Absent where the container's counters are not at hand every second (host/container-meter.ts). */
  container: containerUseSchema.optional(),
});
export type Window = z.infer<typeof windowSchema>;

/** How the client itself fared: whether it was the client that was measured. */
const clientHealthSchema = z.object({
  /** CPU seconds used by the load client while measuring, and the share of one core per worker. */
  cpuSeconds: z.number(),
  cpuShare: z.number(),
  /** 99th percentile of the event-loop delay, µs. */
  loopDelayP99Us: z.number(),
  workers: z.number().int(),
  /** Time that garbage collection took on all workers while measuring, seconds, and its longest pause, µs. */
  gcSeconds: z.number(),
  gcMaxUs: z.number(),
});
export type ClientHealth = z.infer<typeof clientHealthSchema>;

/** How a trial at a fixed rate fared. Its latencies count from the planned start of each transaction. */
const fixedRateSchema = z.object({
  /** Transactions per second, planned. */
  perSecond: z.number(),
  /** Transactions that were planned while measuring. */
  arrivals: z.number().int(),
  /** The most that were due and not begun at the end of a window. */
  mostWaiting: z.number().int(),
  /** How late a transaction was sent although a connection was free, 99th percentile, µs: the client's own part. */
  lateP99Us: z.number(),
});

/**
 * What a whole trial measured; the sums of its `measure` windows that were not interrupted equal these counts exactly.
 */
export const totalsSchema = z.object({
  durationMs: z.number(),
  /** Length of the interrupted windows, which are not part of anything else here, ms. */
  excludedMs: z.number(),
  /** Connections that really were open. */
  connections: z.number().int(),
  ...counts,
  latency: latencySchema.nullable(),
  histogram: z.string(),
  /**
   * Histograms (as above) of the times of single statements by their kind, answered while measuring; empty where the
   * driver does not know them.
   */
  statements: z.partialRecord(z.enum(STATEMENT_KINDS), z.string()),
  /** Null for a load that asks again as soon as it is answered. */
  fixedRate: fixedRateSchema.nullable(),
  client: clientHealthSchema,
});
export type Totals = z.infer<typeof totalsSchema>;

/** The fields of totals that hold no histogram although they should. */
export function unreadableHistograms({ histogram, statements }: Totals): string[][] {
  const all: [string[], string][] = [
    [['histogram'], histogram],
    ...Object.entries(statements).map(([kind, one]): [string[], string] => [['statements', kind], one]),
  ];
  return all.flatMap(([path, one]) => (isHistogram(one) ? [] : [path]));
}

/** The same with its histograms looked into: for totals of a process or file that is not to be trusted. */
export const checkedTotalsSchema = totalsSchema.superRefine((totals, context) => {
  for (const path of unreadableHistograms(totals)) {
    context.addIssue(complaint(path, 'field.notHistogram'));
  }
});

/** Transactions per second. */
export function tps(part: Pick<Window | Totals, 'transactions' | 'durationMs'>): number {
  return part.durationMs > 0 ? (part.transactions * 1000) / part.durationMs : 0;
}

/**
 * What scenarios are compared by: transactions per second; at a fixed rate, where those are given, what one connection
 * alone could do at this mean latency. Either way twice as much is twice as fast.
 */
export function speed(totals: Totals): number {
  if (totals.fixedRate === null) return tps(totals);
  const meanUs = totals.latency?.meanUs ?? 0;
  return meanUs > 0 ? 1e6 / meanUs : 0;
}

/** Statements per second. */
export function qps(part: Pick<Window | Totals, 'reads' | 'writes' | 'other' | 'durationMs'>): number {
  return part.durationMs > 0 ? ((part.reads + part.writes + part.other) * 1000) / part.durationMs : 0;
}

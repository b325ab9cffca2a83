import * as z from 'zod';
import { parseLine } from '../client/protocol.ts';
import { RECORD_PREFIX } from './script.ts';

const count = z.number().int().min(0);
/** A run of thirty years; what is longer would not be a number any more as milliseconds. */
const seconds = z.number().min(0).max(1e9);
/** Without a transaction sysbench tells the largest number that it knows. */
const microseconds = z.number().min(0).max(1e20);

/** Buckets of the latency histogram, `[index, count]`, since the start of the process; empty ones are left out. */
const buckets = z.array(z.tuple([z.number().int().min(0).max(1023), count]));
export type Buckets = z.infer<typeof buckets>;

const counts = {
  /** Time that the counts belong to. */
  seconds,
  transactions: count,
  reads: count,
  writes: count,
  other: count,
};
export type Figures = z.infer<z.ZodObject<typeof counts>>;

/** What our script tells while sysbench runs; `cpu` is CPU time of the process so far, seconds. */
const recordSchema = z.discriminatedUnion('type', [
  /** One more connection is open and has its statements prepared. */
  z.object({ type: z.literal('connected'), cpu: seconds }),
  /** A transaction met an ignored error, by the server's code, and runs again. */
  z.object({ type: z.literal('retried'), code: z.number().int() }),
  /** Counts since the last interval. */
  z.object({ type: z.literal('interval'), ...counts, buckets }),
  /** All threads are done: the last word about latencies. */
  z.object({ type: z.literal('latencies'), buckets }),
  /** Counts of the whole run, and its exact latencies. */
  z.object({
    type: z.literal('total'),
    ...counts,
    cpu: seconds,
    minUs: microseconds,
    meanUs: microseconds,
    maxUs: microseconds,
  }),
]);
export type SysbenchRecord = z.infer<typeof recordSchema>;
export type Total = Extract<SysbenchRecord, { type: 'total' }>;

/** A line of sysbench's stdout as a record; undefined for its own texts. */
export function readRecord(line: string): SysbenchRecord | undefined {
  return line.startsWith(RECORD_PREFIX)
    ? parseLine(recordSchema, line.slice(RECORD_PREFIX.length))
    : undefined;
}

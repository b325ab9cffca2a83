import * as z from 'zod';
import { runEventSchema, windowEventSchema } from './events.ts';
import { windowSchema, type Window } from './measurements.ts';
import { runStateSchema, trialStateSchema, type RunWith, type TrialWith } from './run-state.ts';

/** A window without its histogram: all that leaves the measuring process. */
const windowSummarySchema = windowSchema.omit({ histogram: true });
export type WindowSummary = Omit<Window, 'histogram'>;

const columnSchema = z.instanceof(Float32Array);

/** The columns of a trial's windows. */
export const WINDOW_COLUMNS = [
  /** Middle of the window after the start of measuring, s. */
  'seconds',
  /** Transactions per second. */
  'tps',
  /** Statements per second by what they are. */
  'reads',
  'writes',
  'other',
  /** Percentiles of the latency, ms; NaN when no transaction was completed. */
  'p50Ms',
  'p95Ms',
  'p99Ms',
  /** Transactions that were due and not begun; NaN without a fixed rate. */
  'waiting',
  /**
   * Of the server's container: cores that worked for it, bytes per second from and to block devices; NaN where not
   * known.
   */
  'cores',
  'blockRead',
  'blockWrite',
] as const;
export type WindowColumn = (typeof WINDOW_COLUMNS)[number];

/** A value for every column. */
export function eachColumn<T>(of: (column: WindowColumn) => T): Record<WindowColumn, T> {
  return Object.fromEntries(WINDOW_COLUMNS.map((column) => [column, of(column)])) as Record<WindowColumn, T>;
}

/**
 * The windows of a trial as the charts need them: columns with a row per measured window. 8 scenarios of ten
 * hours come to 14 MB that way, and to 300 MB as windows. Columns may be longer than `length`: what follows is room.
 */
export const windowColumnsSchema = z.object({
  /** How long all windows so far took, warm-up included, ms. */
  elapsedMs: z.number(),
  /** The latest window, of either phase. */
  last: windowSummarySchema.nullable(),
  /** Rows in use. */
  length: z.number().int(),
  /** Ignored errors of the measured windows, by the server's code. */
  errors: z.record(z.string(), z.number()),
  ...eachColumn(() => columnSchema),
});
export type WindowColumns = z.infer<typeof windowColumnsSchema>;

/** A run as the window gets it. */
export const runViewSchema = runStateSchema.extend({
  trials: z.array(trialStateSchema.extend({ windows: windowColumnsSchema })),
});
export type RunView = RunWith<WindowColumns>;
export type TrialView = TrialWith<WindowColumns>;

const windowViewEventSchema = windowEventSchema.extend({ window: windowSummarySchema });

/** An event of a run as the window gets it. */
export const runViewEventSchema = z.discriminatedUnion('type', [
  windowViewEventSchema,
  ...runEventSchema.options.filter(isNoWindow),
]);
export type RunViewEvent = z.infer<typeof runViewEventSchema>;

type EventSchema = (typeof runEventSchema.options)[number];

function isNoWindow(schema: EventSchema): schema is Exclude<EventSchema, typeof windowEventSchema> {
  return schema !== windowEventSchema;
}

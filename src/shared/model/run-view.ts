import * as z from 'zod';
import { runEventSchema, windowEventSchema } from './events.ts';
import { windowSchema, type Window } from './measurements.ts';
import { runStateSchema, trialStateSchema, type RunWith, type TrialWith } from './run-state.ts';

/** A window without its histogram: all that leaves the measuring process. */
export const windowSummarySchema = windowSchema.omit({ histogram: true });
export type WindowSummary = Omit<Window, 'histogram'>;

const columnSchema = z.instanceof(Float32Array);

/**
 * The windows of a trial as the charts need them: four columns with a row per measured window. 8 scenarios of ten
 * hours come to 4.6 MB that way, and to 300 MB as windows. Columns may be longer than `length`: what follows is room.
 */
export const windowColumnsSchema = z.object({
  /** How long all windows so far took, warm-up included, ms. */
  elapsedMs: z.number(),
  /** The latest window, of either phase. */
  last: windowSummarySchema.nullable(),
  /** Rows in use. */
  length: z.number().int(),
  /** Middle of the window after the start of measuring, s. */
  seconds: columnSchema,
  /** Transactions per second. */
  tps: columnSchema,
  /** 95th percentile of the latency, ms; NaN when no transaction was completed. */
  p95Ms: columnSchema,
  /** Transactions that were due and not begun; NaN without a fixed rate. */
  waiting: columnSchema,
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

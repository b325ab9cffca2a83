import * as z from 'zod';
import { windowSchema } from './measurements.ts';
import { runStateSchema, trialStateSchema, type RunWith, type TrialWith } from './run-state.ts';

const columnSchema = z.instanceof(Float32Array);

export const WINDOW_COLUMNS = [
  /** Middle of the window, seconds since measuring began. */
  'seconds',
  'tps',
  /** Latency percentile, ms; NaN without a completed transaction. */
  'p95Ms',
] as const;
export type WindowColumn = (typeof WINDOW_COLUMNS)[number];

export function eachColumn<T>(of: (column: WindowColumn) => T): Record<WindowColumn, T> {
  return Object.fromEntries(WINDOW_COLUMNS.map((column) => [column, of(column)])) as Record<WindowColumn, T>;
}

/** Rows from `length` on are spare. Eight scenarios of ten hours take 5 MB as columns, 300 MB as windows. */
export const windowColumnsSchema = z.object({
  /** Warm-up included, ms. */
  elapsedMs: z.number(),
  last: windowSchema.nullable(),
  length: z.number().int(),
  ...eachColumn(() => columnSchema),
});
export type WindowColumns = z.infer<typeof windowColumnsSchema>;

export const runViewSchema = runStateSchema.extend({
  trials: z.array(trialStateSchema.extend({ windows: windowColumnsSchema })),
});
export type RunView = RunWith<WindowColumns>;
export type TrialView = TrialWith<WindowColumns>;

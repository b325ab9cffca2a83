import * as z from 'zod';
import { PATH_KINDS } from './names.ts';

/** Other published figures; `readWriteRequests` lacks BEGIN and COMMIT. */
const otherFigures = {
  qps: z.number().positive().optional(),
  readWriteRequests: z.number().positive().optional(),
  minMs: z.number().positive().optional(),
  meanMs: z.number().positive().optional(),
  p95Ms: z.number().positive().optional(),
  maxMs: z.number().positive().optional(),
  /** Failed transactions that sysbench repeats, and TPC-C's intentional rollbacks. */
  ignoredErrorsPerSecond: z.number().positive().optional(),
  deadlocks: z.number().int().positive().optional(),
};

/** Ratios for which a statement holds; null: no bound. */
const claim = {
  says: z.strictObject({ en: z.string(), 'zh-CN': z.string() }),
  low: z.number().positive().nullable(),
  high: z.number().positive().nullable(),
};

export const referenceFileSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  url: z.string().nullable(),
  /** Year, month, or day. */
  date: z.string(),
  hardware: z.string(),
  software: z.string(),
  workload: z.string(),
  seconds: z.number().positive(),
  /** Paths with words that show them; none where a figure's label does. */
  paths: z.array(z.strictObject({ path: z.enum(PATH_KINDS), quotes: z.array(z.string()) })).min(1),
  cells: z
    .array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        path: z.enum(PATH_KINDS),
        tps: z.number().positive(),
        ...otherFigures,
        baseline: z.string(),
      }),
    )
    .min(1),
  /** The mean ratio of pairs of cells at the same place in both lists. */
  claims: z.array(
    z.strictObject({ ...claim, of: z.array(z.string()).min(1), against: z.array(z.string()).min(1) }),
  ),
});
export type ReferenceFile = z.infer<typeof referenceFileSchema>;

export const PUBLISHED_MEASURES = [
  'tps',
  'qps',
  'readWriteRequests',
  'minMs',
  'meanMs',
  'p95Ms',
  'maxMs',
  'ignoredErrorsPerSecond',
  'deadlocksPerMinute',
] as const;
export type PublishedMeasure = (typeof PUBLISHED_MEASURES)[number];

export const planReferenceSchema = z.object({
  ...referenceFileSchema.omit({ cells: true, claims: true, paths: true, seconds: true }).shape,
  cells: z.array(
    z.object({
      scenarioId: z.string(),
      label: z.string(),
      /** The experiment's path, if the scenario has another because it isn't available. */
      otherPath: z.enum(PATH_KINDS).nullable().default(null),
      tps: z.number(),
      /** Ratio to the experiment's own baseline. */
      ratio: z.number(),
      figures: z
        .array(z.object({ measure: z.enum(PUBLISHED_MEASURES), value: z.number(), ratio: z.number() }))
        .default([]),
    }),
  ),
  claims: z
    .array(
      z.object({
        ...claim,
        pairs: z.array(z.object({ scenarioId: z.string(), referenceId: z.string() })),
      }),
    )
    .default([]),
});
export type PlanReference = z.infer<typeof planReferenceSchema>;

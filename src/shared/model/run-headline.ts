import * as z from 'zod';
import { DRIVER_KINDS } from './names.ts';

/**
 * What a run comes to, for lists that don't hold the run itself: data without words, so that whoever shows it makes the
 * sentence in his language (`runHeadlineText`).
 */
export const runHeadlineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['nothing-measured', 'no-baseline', 'all-same', 'unsettled', 'onlyBaselines']) }),
  /** Nothing was measured beside the one baseline; `tps` is what it reached. */
  z.object({ kind: z.literal('onlyBaseline'), tps: z.number().nullable() }),
  z.object({
    kind: z.literal('difference'),
    verdict: z.enum(['slower', 'faster']),
    /** Names without what the next three say. */
    name: z.string(),
    baseline: z.string(),
    regime: z.string().nullable(),
    driver: z.enum(DRIVER_KINDS).nullable(),
    connections: z.number().int().nullable(),
    /** See `RatioEstimate` in analysis.ts. */
    ratio: z.object({
      value: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      standardError: z.number().nullable(),
      confidence: z.number(),
      pairedRounds: z.number().int(),
    }),
  }),
]);
export type RunHeadline = z.infer<typeof runHeadlineSchema>;

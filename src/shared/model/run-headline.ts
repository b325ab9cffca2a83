import * as z from 'zod';
import { scenarioLabelSchema } from './scenario-label.ts';

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
    scenario: scenarioLabelSchema,
    baseline: scenarioLabelSchema,
    /** What sets their comparison apart from the others of the run. */
    said: scenarioLabelSchema.pick({ driver: true, regime: true, connections: true }),
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

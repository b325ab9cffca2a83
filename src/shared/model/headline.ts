import * as z from 'zod';
import { DRIVER_KINDS } from './names.ts';

const ratioSchema = z.object({
  value: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  standardError: z.number().nullable(),
  confidence: z.number(),
  pairedRounds: z.number().int(),
});

/** What the headline of a run needs to be said in any language, so that a list needs no analysis. */
export const headlineFactsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('difference'),
    ratio: ratioSchema,
    /** The scenario and its baseline, without what `where` says already. */
    name: z.string(),
    baseline: z.string(),
    where: z.object({
      regime: z.string().nullable(),
      driver: z.enum(DRIVER_KINDS).nullable(),
      connections: z.number().nullable(),
    }),
  }),
  z.object({ kind: z.literal('onlyBaseline'), tps: z.number().nullable() }),
  z.object({
    kind: z.enum(['nothing-measured', 'no-baseline', 'all-same', 'unsettled', 'onlyBaselines']),
  }),
]);
export type HeadlineFacts = z.infer<typeof headlineFactsSchema>;

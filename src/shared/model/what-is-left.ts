import * as z from 'zod';

/** What going on with a run comes to. */
export const whatIsLeftSchema = z.object({
  /** Trials that keep their numbers. */
  kept: z.number().int(),
  /** Trials still to be measured. */
  left: z.number().int(),
  all: z.number().int(),
  /** How long that takes about, preparations included, ms. */
  leftMs: z.number(),
});
export type WhatIsLeft = z.infer<typeof whatIsLeftSchema>;

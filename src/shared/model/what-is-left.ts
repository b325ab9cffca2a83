import * as z from 'zod';

export const whatIsLeftSchema = z.object({
  /** Trials that keep their numbers. */
  kept: z.number().int(),
  /** Trials to measure. */
  left: z.number().int(),
  all: z.number().int(),
  /** Estimate with preparation, ms. */
  leftMs: z.number(),
});
export type WhatIsLeft = z.infer<typeof whatIsLeftSchema>;

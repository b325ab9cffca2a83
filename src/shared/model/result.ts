import * as z from 'zod';
import { runStateSchema } from './run-state.ts';
import { sharingSchema } from './sharing.ts';

export const RESULT_FORMAT = 'whalemark-result';
export const RESULT_VERSION = 2;

/** A result file: the folded state of a run. Opening it analyses it again. */
export const resultFileSchema = z.object({
  format: z.literal(RESULT_FORMAT),
  version: z.literal(RESULT_VERSION),
  /** What was done to it before it was given away; absent in what the app keeps itself. */
  sharing: sharingSchema.optional(),
  state: runStateSchema,
});
export type ResultFile = z.infer<typeof resultFileSchema>;

import * as z from 'zod';
import { errorDataSchema } from '../errors.ts';
import { saidSchema } from '../message.ts';

export const presetSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  question: z.string(),
  /** False: from the data folder. */
  builtIn: z.boolean(),
  hasShort: z.boolean(),
  /** The published experiment it repeats. */
  reference: z.object({ title: z.string(), source: z.string(), date: z.string() }).nullable(),
  /** Why a preset of the user can't be used; all else but its file name is then unknown. */
  error: errorDataSchema.optional(),
});
export type PresetSummary = z.infer<typeof presetSummarySchema>;

export const presetProblemSchema = z.object({
  /** 1-based; null without a line. */
  line: z.number().int().nullable(),
  problem: saidSchema,
});
export type PresetProblem = z.infer<typeof presetProblemSchema>;

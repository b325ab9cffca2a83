import * as z from 'zod';
import { errorDataSchema } from '../errors.ts';
import { saidSchema } from '../message.ts';

/** A preset in a list. */
export const presetSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  question: z.string(),
  /** False: a preset of the user's own, in the data folder. */
  builtIn: z.boolean(),
  hasShort: z.boolean(),
  /** The published experiment that it repeats; null for all others. */
  reference: z.object({ title: z.string(), source: z.string(), date: z.string() }).nullable(),
  /** Why a preset of the user's own can't be used; then nothing else of it is known but its file's name. */
  error: errorDataSchema.optional(),
});
export type PresetSummary = z.infer<typeof presetSummarySchema>;

/** Something that is wrong with the text of a preset. */
export const presetProblemSchema = z.object({
  /** 1-based; null when it belongs to no line. */
  line: z.number().int().nullable(),
  problem: saidSchema,
});
export type PresetProblem = z.infer<typeof presetProblemSchema>;

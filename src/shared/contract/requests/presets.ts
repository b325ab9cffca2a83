import * as z from 'zod';
import { errorDataSchema } from '../../errors.ts';
import { pathText, presetText, shortText } from './limits.ts';
import { nothing } from './nothing.ts';

/** Presets: the built-in ones and the user's own. */

const presetSummarySchema = z.object({
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
const presetProblemSchema = z.object({
  /** 1-based; null when it belongs to no line. */
  line: z.number().int().nullable(),
  message: z.string(),
});
export type PresetProblem = z.infer<typeof presetProblemSchema>;

export const corePresetRequests = {
  'presets:list': { params: z.strictObject({}), answer: z.array(presetSummarySchema) },
  /** The YAML text of a preset, built-in or the user's own, sound or not. */
  'presets:text': { params: z.strictObject({ id: shortText }), answer: z.object({ text: z.string() }) },
  /** What is wrong with a text, of the user's preset `id` or of a new one; empty: it can be saved. */
  'presets:check': {
    params: z.strictObject({ text: presetText, id: shortText.optional() }),
    answer: z.array(presetProblemSchema),
  },
  /**
   * Saves the text in place of the user's preset `id`, or without one as a new preset; the answer is the id that the
   * preset has from now on.
   */
  'presets:save': {
    params: z.strictObject({ id: shortText.optional(), text: presetText }),
    answer: z.object({ id: z.string() }),
  },
  /** Copies a preset, built-in or not, to one of the user's own. */
  'presets:duplicate': {
    params: z.strictObject({ id: shortText }),
    answer: z.object({ id: z.string() }),
  },
  /** Removes a preset of the user's own. */
  'presets:delete': { params: z.strictObject({ id: shortText }), answer: nothing },
} as const;

export const mainPresetRequests = {
  /** Asks for a preset file and keeps it as one of the user's own; null when the user cancels. */
  'presets:import': { params: z.strictObject({}), answer: z.object({ id: z.string() }).nullable() },
  /** Asks where to save and writes the preset's text; null when the user cancels. */
  'presets:export': {
    params: z.strictObject({ id: shortText }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
  /** Asks where to save and writes a text that is not kept; `id` suggests the file's name. Null when the user cancels. */
  'presets:export-text': {
    params: z.strictObject({ id: shortText, text: presetText }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
} as const;

export const internalPresetRequests = {
  'core:import-preset': {
    params: z.strictObject({ path: pathText }),
    answer: z.object({ id: z.string() }),
  },
  'core:export-preset-text': {
    params: z.strictObject({ text: presetText, path: pathText }),
    answer: nothing,
  },
  'core:export-preset': { params: z.strictObject({ id: shortText, path: pathText }), answer: nothing },
} as const;

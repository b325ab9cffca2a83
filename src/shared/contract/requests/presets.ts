import * as z from 'zod';
import { messageSchema } from '../../message.ts';
import { presetProblemSchema, presetSummarySchema } from '../../model/preset-summary.ts';
import { nothing, pathText, presetText, shortText } from './limits.ts';
import { DISTRIBUTIONS, DRIVER_KINDS, OLTP_KINDS, PATH_KINDS, STORAGE_KINDS } from '../../model/names.ts';
import { CONSENTS, planSchema } from '../../model/plan.ts';

/** Presets: the built-in ones and the user's own. */

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
  /**
   * Asks where to save and writes a text that is not kept; `id` suggests the file's name. Null when the user cancels.
   */
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

/** What the wizard asks while a comparison takes shape. */

const wizardSupportSchema = z.object({
  /** What this runtime can't run, whatever the load is; a combination that is not named can run. */
  refused: z.array(
    z.object({ storage: z.enum(STORAGE_KINDS), path: z.enum(PATH_KINDS), reason: messageSchema }),
  ),
  /** Why sysbench can't run the draft's workload at all; null when it can. */
  sysbench: messageSchema.nullable(),
});
export type WizardSupport = z.infer<typeof wizardSupportSchema>;

export const coreWizardRequests = {
  /** What the runtime can't do of all that a draft with this server and this load could ask for. */
  'wizard:support': {
    params: z.strictObject({
      image: shortText,
      /** The server program on this machine; without it one is looked for. */
      nativeBinary: pathText.optional(),
      driver: z.enum(DRIVER_KINDS),
      workload: z.enum([...OLTP_KINDS, 'tpcc']),
      distribution: z.enum(DISTRIBUTIONS),
      runtimeId: shortText.optional(),
    }),
    answer: wizardSupportSchema,
  },
  /** What a draft comes to, in its full form. Such a plan is only to look at: it can't be started. */
  'wizard:plan': {
    params: z.strictObject({
      text: presetText,
      runtimeId: shortText.optional(),
      /** `external`: the address of the external server was typed into the form. */
      consents: z.array(z.enum(CONSENTS)).max(CONSENTS.length).optional(),
    }),
    answer: planSchema,
  },
} as const;

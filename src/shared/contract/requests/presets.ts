import * as z from 'zod';
import { messageSchema } from '../../message.ts';
import { presetProblemSchema, presetSummarySchema } from '../../model/preset.ts';
import { nothing, pathText, presetText, shortText } from './limits.ts';
import {
  DISTRIBUTIONS,
  LOAD_GENERATORS,
  WORKLOAD_KINDS,
  PATH_KINDS,
  STORAGE_KINDS,
} from '../../model/names.ts';
import { planSchema } from '../../model/plan.ts';

export const corePresetRequests = {
  'presets:list': { params: z.strictObject({}), answer: z.array(presetSummarySchema) },
  'presets:text': { params: z.strictObject({ id: shortText }), answer: z.object({ text: z.string() }) },
  'presets:check': {
    params: z.strictObject({ text: presetText, id: shortText.optional() }),
    answer: z.array(presetProblemSchema),
  },
  'presets:save': {
    params: z.strictObject({ id: shortText.optional(), text: presetText }),
    answer: z.object({ id: z.string() }),
  },
  'presets:duplicate': {
    params: z.strictObject({ id: shortText }),
    answer: z.object({ id: z.string() }),
  },
  'presets:delete': { params: z.strictObject({ id: shortText }), answer: nothing },
} as const;

export const mainPresetRequests = {
  'presets:import': { params: z.strictObject({}), answer: z.object({ id: z.string() }).nullable() },
  /** Asks where to save a preset, or a text that isn't kept; `id` suggests the name. Null if canceled. */
  'presets:export': {
    params: z.strictObject({ id: shortText, text: presetText.optional() }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
} as const;

export const internalPresetRequests = {
  'core:import-preset': {
    params: z.strictObject({ path: pathText }),
    answer: z.object({ id: z.string() }),
  },
  /** A preset, or a text that isn't kept. */
  'core:save-text': { params: z.strictObject({ text: presetText, path: pathText }), answer: nothing },
} as const;

const wizardSupportSchema = z.object({
  refused: z.array(
    z.object({ storage: z.enum(STORAGE_KINDS), path: z.enum(PATH_KINDS), reason: messageSchema }),
  ),
  /** Null if sysbench can run the draft's workload. */
  sysbench: messageSchema.nullable(),
});
export type WizardSupport = z.infer<typeof wizardSupportSchema>;

export const coreWizardRequests = {
  'wizard:support': {
    params: z.strictObject({
      image: shortText,
      nativeBinary: pathText.optional(),
      loadGenerator: z.enum(LOAD_GENERATORS),
      workload: z.enum(WORKLOAD_KINDS),
      distribution: z.enum(DISTRIBUTIONS),
      clientEngine: shortText.optional(),
      runtimeId: shortText.optional(),
    }),
    answer: wizardSupportSchema,
  },
  'wizard:plan': {
    params: z.strictObject({ text: presetText, runtimeId: shortText.optional() }),
    answer: planSchema,
  },
} as const;

import * as z from 'zod';
import { messageSchema } from '../../message.ts';
import { presetProblemSchema, presetSummarySchema } from '../../model/preset.ts';
import { nothing, pathText, presetText, savedSchema, shortText } from './limits.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../model/names.ts';
import { planSchema } from '../../model/plan.ts';

export const core = {
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
  /** What the runtime can't measure with the built-in load generator. */
  'wizard:support': {
    params: z.strictObject({
      image: shortText,
      nativeBinary: pathText.optional(),
      clientEngine: shortText.optional(),
      runtimeId: shortText.optional(),
    }),
    answer: z.array(
      z.object({ storage: z.enum(STORAGE_KINDS), path: z.enum(PATH_KINDS), reason: messageSchema }),
    ),
  },
  'wizard:plan': {
    params: z.strictObject({ text: presetText, runtimeId: shortText.optional() }),
    answer: planSchema,
  },
} as const;

export const file = {
  'presets:import': { params: z.strictObject({}), answer: z.object({ id: z.string() }).nullable() },
  'presets:export': {
    params: z.strictObject({ id: shortText }),
    answer: savedSchema.nullable(),
  },
} as const;

import * as z from 'zod';
import { messageSchema } from '../../message.ts';
import { presetProblemSchema, presetSummarySchema } from '../../model/preset.ts';
import { none, nothing, pathText, presetText, savedSchema, shortText } from './limits.ts';
import { PATH_KINDS, STORAGE_KINDS } from '../../model/names.ts';
import { planSchema } from '../../model/plan.ts';

const byId = z.strictObject({ id: shortText });
const savedAs = z.object({ id: z.string() });

export const core = {
  'presets:list': { params: none, answer: z.array(presetSummarySchema) },
  'presets:text': { params: byId, answer: z.object({ text: z.string() }) },
  'presets:check': {
    params: z.strictObject({ text: presetText, id: shortText.optional() }),
    answer: z.array(presetProblemSchema),
  },
  'presets:save': { params: z.strictObject({ id: shortText.optional(), text: presetText }), answer: savedAs },
  'presets:duplicate': { params: byId, answer: savedAs },
  'presets:delete': { params: byId, answer: nothing },
  /** Storages and paths that the engine can't measure with the built-in load generator. */
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
  'presets:import': { params: none, answer: savedAs.nullable() },
  'presets:export': { params: byId, answer: savedSchema.nullable() },
} as const;

import * as z from 'zod';
import { setupPatchesSchema, setupSchema } from '../../model/setup.ts';
import { nothing, pathText, presetText, shortText } from './limits.ts';

export const coreSetupRequests = {
  /** The database containers of the engine in use, running or not. */
  'setups:find': {
    params: z.strictObject({ runtimeId: shortText.optional() }),
    answer: z.array(setupSchema),
  },
  /** Rejects with SETUP_ELSEWHERE for a result of another machine. */
  'setups:patches': { params: z.strictObject({ runId: shortText }), answer: setupPatchesSchema },
} as const;

/** Which Compose file: the one that the user chooses now, the one dropped onto the window, or the last one again. */
const CHOSEN_BY = ['dialog', 'drop', 'again'] as const;
export type ChosenBy = (typeof CHOSEN_BY)[number];

export const mainSetupRequests = {
  /** Null if canceled, or if what was dropped is not a file of this machine. */
  'setups:open': { params: z.strictObject({ by: z.enum(CHOSEN_BY) }), answer: setupSchema.nullable() },
  /** Asks where to save; `name` suggests the name. Null if canceled. */
  'setups:save-patch': {
    params: z.strictObject({ name: shortText, text: presetText }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
} as const;

export const internalSetupRequests = {
  'core:open-setup': { params: z.strictObject({ path: pathText }), answer: setupSchema },
  'core:save-patch': { params: z.strictObject({ text: presetText, path: pathText }), answer: nothing },
} as const;

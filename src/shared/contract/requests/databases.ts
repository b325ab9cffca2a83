import * as z from 'zod';
import { databaseOverridesSchema, databaseSchema } from '../../model/database.ts';
import { nothing, shortText } from './limits.ts';

export const core = {
  'databases:find': {
    params: z.strictObject({ runtimeId: shortText.optional() }),
    answer: z.array(databaseSchema),
  },
  /** Rejects with DATABASE_ELSEWHERE for another machine's result. */
  'databases:overrides': { params: z.strictObject({ runId: shortText }), answer: databaseOverridesSchema },
  /** Rejects with OVERRIDE_NOT_WRITTEN, and like 'databases:overrides'. */
  'databases:write-override': {
    params: z.strictObject({ runId: shortText, change: shortText }),
    answer: nothing,
  },
} as const;

const CHOSEN_BY = ['dialog', 'drop', 'again'] as const;
export type ChosenBy = (typeof CHOSEN_BY)[number];

export const file = {
  /** Null also if the dropped item isn't a file of this machine. */
  'databases:open': { params: z.strictObject({ by: z.enum(CHOSEN_BY) }), answer: databaseSchema.nullable() },
} as const;

import * as z from 'zod';
import { databasePatchesSchema, databaseSchema } from '../../model/database.ts';
import { pathText, presetText, shortText } from './limits.ts';

export const coreDatabaseRequests = {
  'databases:find': {
    params: z.strictObject({ runtimeId: shortText.optional() }),
    answer: z.array(databaseSchema),
  },
  /** Rejects with DATABASE_ELSEWHERE for a result of another machine. */
  'databases:patches': { params: z.strictObject({ runId: shortText }), answer: databasePatchesSchema },
} as const;

const CHOSEN_BY = ['dialog', 'drop', 'again'] as const;
export type ChosenBy = (typeof CHOSEN_BY)[number];

export const mainDatabaseRequests = {
  /** Null if canceled, or if what was dropped is not a file of this machine. */
  'databases:open': { params: z.strictObject({ by: z.enum(CHOSEN_BY) }), answer: databaseSchema.nullable() },
  /** Asks where to save; `name` suggests the name. Null if canceled. */
  'databases:save-patch': {
    params: z.strictObject({ name: shortText, text: presetText }),
    answer: z.object({ fileName: z.string() }).nullable(),
  },
} as const;

export const internalDatabaseRequests = {
  'core:open-database': { params: z.strictObject({ path: pathText }), answer: databaseSchema },
} as const;

import * as z from 'zod';
import { pathText, shortText } from './limits.ts';

export const ownTaskSchema = z.object({
  key: shortText,
  kind: z.enum(['command', 'dump']),
  text: shortText,
  folder: pathText,
});
export type OwnTaskChoice = z.infer<typeof ownTaskSchema>;

export const main = {
  /** The user chooses the folder and agrees to run the command; null: canceled. */
  'tasks:open-command': { params: z.strictObject({ text: shortText }), answer: ownTaskSchema.nullable() },
  /** The user chooses a dump that wasn't dropped; null: canceled. */
  'tasks:open-dump': {
    params: z.strictObject({ by: z.enum(['dialog', 'drop']) }),
    answer: ownTaskSchema.nullable(),
  },
} as const;

export const internal = {
  /** A task's key for this session; rejects with DUMP_UNREADABLE. */
  'core:own-task': {
    params: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('command'), words: z.array(shortText).min(1), folder: pathText }),
      z.strictObject({ kind: z.literal('dump'), path: pathText }),
    ]),
    answer: z.string(),
  },
} as const;

import * as z from 'zod';
import { annotationsSchema } from '../../model/annotations.ts';
import { historyEntrySchema } from '../../model/history-entry.ts';
import { shortText } from './limits.ts';
import { nothing } from './nothing.ts';

/** All finished runs and imports, and what people do with them. Ids are those of runs or of imports. */

const byId = z.strictObject({ id: shortText });

export const coreHistoryRequests = {
  /** The latest first. */
  'history:list': { params: z.strictObject({}), answer: z.array(historyEntrySchema) },
  /** Changes title, tags or note; the answer is all of them. */
  'history:annotate': {
    params: z.strictObject({
      id: shortText,
      change: annotationsSchema.omit({ shared: true }).partial().strict(),
    }),
    answer: annotationsSchema,
  },
  /** Puts a result aside, to be had back with `history:restore` until `history:purge` or the next start. */
  'history:delete': { params: byId, answer: nothing },
  'history:restore': { params: byId, answer: nothing },
  /** Removes what was put aside for good. */
  'history:purge': { params: byId, answer: nothing },
  /** Whether a run is one of the history, or only a result file that was opened. */
  'history:has': { params: byId, answer: z.boolean() },
  /** Keeps a result that was opened from a file. */
  'history:keep': { params: byId, answer: nothing },
} as const;

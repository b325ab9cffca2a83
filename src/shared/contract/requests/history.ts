import * as z from 'zod';
import { annotationsSchema } from '../../model/annotations.ts';
import { historyEntrySchema } from '../../model/history-entry.ts';
import { pathText, shortText } from './limits.ts';
import { nothing } from './nothing.ts';

/** All finished runs and imports, and what people do with them. Ids are those of runs or of imports. */

const byId = z.strictObject({ id: shortText });

export const coreHistoryRequests = {
  /** The latest first. */
  'history:list': { params: z.strictObject({}), answer: z.array(historyEntrySchema) },
  /** Changes title or note; the answer is all of them. */
  'history:annotate': {
    params: z.strictObject({
      id: shortText,
      change: annotationsSchema.omit({ shared: true }).partial().strict(),
    }),
    answer: annotationsSchema,
  },
  /** Whether a run is one of the history, or only a result file that was opened. */
  'history:has': { params: byId, answer: z.boolean() },
  /** Keeps a result that was opened from a file. */
  'history:keep': { params: byId, answer: nothing },
} as const;

export const mainHistoryRequests = {
  /** Moves a result to the system's trash, or deletes it for good. False: there is no trash to move it to. */
  'history:delete': { params: byId.extend({ forGood: z.boolean() }), answer: z.boolean() },
} as const;

export const internalHistoryRequests = {
  /** The files and folders of a result that may be deleted now. */
  'core:history-files': { params: byId, answer: z.array(pathText) },
  'core:history-remove': { params: byId, answer: nothing },
} as const;

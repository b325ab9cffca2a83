import * as z from 'zod';
import { recentEntrySchema } from '../../model/history-entry.ts';
import { importedFileSchema } from '../../model/imported.ts';
import { runViewSchema } from '../../model/run-view.ts';
import { pathText, shortText } from './limits.ts';

/** Finished runs and imported measurements: listing and opening. */

/** Characters of a file that can be dropped onto the window; larger files are opened by name, line by line. */
export const MOST_DROPPED = 64 * 1024 * 1024;

export const coreResultRequests = {
  /** The latest first. */
  'results:recent': { params: z.strictObject({}), answer: z.array(recentEntrySchema) },
  /** The result that comes with the app: of a real run, on another machine. It is in no list. */
  'results:example': { params: z.strictObject({}), answer: runViewSchema },
  /** Opens a result whose text the window holds: a file that was dropped onto it. Rejects with RESULT_UNREADABLE. */
  'results:open-text': {
    params: z.strictObject({ name: shortText, text: z.string().max(MOST_DROPPED) }),
    answer: runViewSchema,
  },
  'results:load': { params: z.strictObject({ runId: shortText }), answer: runViewSchema },
  /** Reads what sysbench printed and keeps its figures. */
  'imports:parse-and-store': {
    params: z.strictObject({ text: z.string().max(MOST_DROPPED), name: shortText.min(1) }),
    answer: importedFileSchema,
  },
  'imports:load': { params: z.strictObject({ importId: shortText }), answer: importedFileSchema },
} as const;

export const mainResultRequests = {
  /** Asks for a result file and opens it; null when the user cancels. */
  'results:open': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /**
   * Opens the result file that the app was started with, or that a second start handed over; null when there is none.
   */
  'results:open-given': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /** Asks for a file that sysbench printed and imports it; null when the user cancels. */
  'imports:open-file': { params: z.strictObject({}), answer: importedFileSchema.nullable() },
} as const;

export const internalResultRequests = {
  /** Reads and keeps a result file, so that it can be exported like one of ours. */
  'core:open-result': { params: z.strictObject({ path: pathText }), answer: runViewSchema },
  'core:import-file': { params: z.strictObject({ path: pathText }), answer: importedFileSchema },
} as const;

import * as z from 'zod';
import { updateStateSchema } from '../../model/updates.ts';
import { nothing } from './nothing.ts';

/** Whether there is a newer Whalemark. Nothing is downloaded or installed: the window only tells. */

export const mainUpdateRequests = {
  /** What is known already; asks nobody. */
  'updates:get': { params: z.strictObject({}), answer: updateStateSchema },
  /** Asks now, whatever the settings say of doing so by itself. */
  'updates:ask': { params: z.strictObject({}), answer: updateStateSchema },
  /** Says no more of the version that is known to be newer. */
  'updates:dismiss': { params: z.strictObject({}), answer: updateStateSchema },
  /** Opens the page of the newest release in the system's browser; the window names no address. */
  'updates:open-page': { params: z.strictObject({}), answer: nothing },
} as const;

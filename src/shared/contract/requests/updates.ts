import * as z from 'zod';
import { nothing } from './nothing.ts';

/** Whether there is a newer Whalemark. Nothing is downloaded or installed: the window only tells. */

const asked = { askedAt: z.number() };

/** What is known of releases; times in milliseconds since 1970. */
export const updateStateSchema = z.discriminatedUnion('kind', [
  /** This program was made without a place to look at, as every build from the source is. */
  z.object({ kind: z.literal('no-place') }),
  z.object({ kind: z.literal('not-asked') }),
  z.object({ kind: z.literal('newest'), ...asked }),
  z.object({
    kind: z.literal('newer'),
    ...asked,
    version: z.string(),
    /** The user has seen it and does not want to be told again. */
    isDismissed: z.boolean(),
  }),
  z.object({ kind: z.literal('failed'), ...asked, reason: z.enum(['unreachable', 'unexpected']) }),
]);
export type UpdateState = z.infer<typeof updateStateSchema>;

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

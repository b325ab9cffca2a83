import * as z from 'zod';

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

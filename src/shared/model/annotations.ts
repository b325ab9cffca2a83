import * as z from 'zod';

/** How long a title and a note may be. */
export const MOST = { title: 200, note: 10_000 } as const;

/** What people write beside a result; the result itself is never changed by it. */
export const annotationsSchema = z.object({
  /** In place of the name that it came with; null: that name. */
  title: z.string().trim().min(1).max(MOST.title).nullable().default(null),
  note: z.string().max(MOST.note).default(''),
  /** True for somebody else's result that was opened from a file and kept. */
  shared: z.boolean().default(false),
});
export type Annotations = z.infer<typeof annotationsSchema>;

export const NO_ANNOTATIONS: Annotations = annotationsSchema.parse({});

import * as z from 'zod';

/** How long a title, a tag and a note may be, and how many tags there may be. */
export const MOST = { title: 200, tag: 40, tags: 20, note: 10_000 } as const;

/** What people write beside a result; the result itself is never changed by it. */
export const annotationsSchema = z.object({
  /** In place of the name that it came with; null: that name. */
  title: z.string().trim().min(1).max(MOST.title).nullable().default(null),
  tags: z.array(z.string().trim().min(1).max(MOST.tag)).max(MOST.tags).default([]),
  note: z.string().max(MOST.note).default(''),
  /** True for somebody else's result that was opened from a file and kept. */
  shared: z.boolean().default(false),
});
export type Annotations = z.infer<typeof annotationsSchema>;

export const NO_ANNOTATIONS: Annotations = annotationsSchema.parse({});

import * as z from 'zod';

/** What ships and is not ours, with its licence; the build makes the list of what it bundled. */
export const licenceSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** SPDX expression. */
  licence: z.string(),
  /** Where its source code is; null: unknown. */
  source: z.string().nullable(),
  /** All texts that it brings along. */
  text: z.string(),
});
export type Licence = z.infer<typeof licenceSchema>;

import * as z from 'zod';

/** What ships and is not ours, with its licence; the build makes the list of what it bundled. */
export const licenceSchema = z.object({
  name: z.string(),
  version: z.string(),
  licence: z.string(),
  source: z.string().nullable(),
  text: z.string(),
});
export type Licence = z.infer<typeof licenceSchema>;

import * as z from 'zod';

/** What main hands to the core on its command line. */
export const coreOptionsSchema = z.object({
  dataDir: z.string(),
  assetsDir: z.string(),
  presetsDir: z.string(),
  clientFile: z.string(),
  appVersion: z.string(),
});
export type CoreProcessOptions = z.infer<typeof coreOptionsSchema>;

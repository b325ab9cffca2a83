import * as z from 'zod';

/** Markdown list items without dashes, in English, redacted. */
export const diagnosticsPartSchema = z.object({ title: z.string(), lines: z.array(z.string()) });
export type DiagnosticsPart = z.infer<typeof diagnosticsPartSchema>;

import * as z from 'zod';

/**
 * A paragraph of a bug report: Markdown list items without their dashes, in English, with nothing private left in them.
 */
export const diagnosticsPartSchema = z.object({ title: z.string(), lines: z.array(z.string()) });
export type DiagnosticsPart = z.infer<typeof diagnosticsPartSchema>;

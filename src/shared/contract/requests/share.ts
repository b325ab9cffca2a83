import * as z from 'zod';
import { shareOptionsSchema, sharingSchema, EXPORT_FORMATS } from '../../model/sharing.ts';
import { pathText, shortText } from './limits.ts';
import { nothing } from './nothing.ts';

/** Giving a result away: what goes out, to a file or to the clipboard. */

const exportRequestSchema = shareOptionsSchema.extend({ runId: shortText, format: z.enum(EXPORT_FORMATS) });
export type ExportRequest = z.infer<typeof exportRequestSchema>;

/** What can be pasted somewhere. */
const COPY_FORMATS = ['png', 'md'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

const sharePreviewSchema = z.object({
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('picture'), url: z.string().startsWith('data:image/png;base64,') }),
    /** `isWhole`: nothing had to be cut off at its end. */
    z.object({ kind: z.literal('text'), text: z.string(), isWhole: z.boolean() }),
  ]),
  sharing: sharingSchema,
});
export type SharePreview = z.infer<typeof sharePreviewSchema>;

export const coreShareRequests = {
  /** What `results:export` would write with the same parameters. */
  'share:preview': { params: exportRequestSchema, answer: sharePreviewSchema },
} as const;

export const mainShareRequests = {
  /** Asks where to save and writes the export; the answer is the file's name, or null when the user cancels. */
  'results:export': { params: exportRequestSchema, answer: z.object({ fileName: z.string() }).nullable() },
  /** Puts the picture or the Markdown of a run into the clipboard. */
  'share:copy': { params: exportRequestSchema.extend({ format: z.enum(COPY_FORMATS) }), answer: nothing },
} as const;

export const internalShareRequests = {
  'core:export': { params: exportRequestSchema.extend({ path: pathText }), answer: nothing },
  /** All bytes of an export. */
  'core:export-bytes': {
    params: exportRequestSchema,
    answer: z.object({ bytes: z.instanceof(Uint8Array) }),
  },
} as const;

import * as z from 'zod';
import { LANGUAGES } from './settings.ts';

export const PRIVATE_KINDS = ['host', 'user', 'path', 'address', 'endpoint', 'context', 'program'] as const;
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** `secret`: passwords and mount options that may contain them, never included. */
export const LEFT_OUT_KINDS = [...PRIVATE_KINDS, 'secret'] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

export const sharingSchema = z.object({
  included: z.array(z.enum(PRIVATE_KINDS)),
  /** Redactions by kind; absent: none found. */
  leftOut: z.partialRecord(z.enum(LEFT_OUT_KINDS), z.number().int()),
});
export type Sharing = z.infer<typeof sharingSchema>;

/** Formats in the order of the screen. */
export const EXPORT_FORMATS = ['png', 'html', 'md', 'csv', 'csv-per-second', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const shareOptionsSchema = z.strictObject({
  include: z.array(z.enum(PRIVATE_KINDS)).max(PRIVATE_KINDS.length),
  language: z.enum(LANGUAGES),
});

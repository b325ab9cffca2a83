import * as z from 'zod';
import { LANGUAGES } from './settings.ts';

/** What of a result tells about somebody's machine and network; each kind is left out unless the user includes it. */
export const PRIVATE_KINDS = ['host', 'user', 'path', 'address', 'endpoint', 'context', 'program'] as const;
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** `secret`: passwords, and mount options that may hold them; nobody can include those. */
export const LEFT_OUT_KINDS = [...PRIVATE_KINDS, 'secret'] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/** What was done to a result before it was given away. */
export const sharingSchema = z.object({
  /** What the user wanted in it, in the order of `PRIVATE_KINDS`. */
  included: z.array(z.enum(PRIVATE_KINDS)),
  /** In how many places something of each kind was left out; a kind that is not there was not found. */
  leftOut: z.partialRecord(z.enum(LEFT_OUT_KINDS), z.number().int()),
});
export type Sharing = z.infer<typeof sharingSchema>;

/** What a result can be exported as. */
export const EXPORT_FORMATS = ['csv', 'windows-csv', 'png', 'html', 'md', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How a result is given away. */
export const shareOptionsSchema = z.strictObject({
  include: z.array(z.enum(PRIVATE_KINDS)).max(PRIVATE_KINDS.length),
  language: z.enum(LANGUAGES),
});

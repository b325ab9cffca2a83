import * as z from 'zod';

/** Longer texts from the window are refused before they are copied. */

export const shortText = z.string().max(1024);

export const pathText = z.string().min(1).max(32_767);

export const MOST_PRESET = 4 * 2 ** 20;
export const presetText = z.string().max(MOST_PRESET);

export const savedSchema = z.object({ fileName: z.string() });

export const none = z.strictObject({});

export const nothing = z.undefined().or(z.null());

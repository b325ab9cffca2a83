import * as z from 'zod';

/** Maximum lengths of texts from the window, refused before they are copied. */

/** An id, a name, an image reference. */
export const shortText = z.string().max(1024);

/** The longest path on Windows. */
export const pathText = z.string().min(1).max(32_767);

export const presetText = z.string().max(4 * 2 ** 20);

/** The answer of a request without a result. */
export const nothing = z.undefined().or(z.null());

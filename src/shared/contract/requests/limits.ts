import * as z from 'zod';

/**
 * Texts that the window may send, each with a length that no honest one reaches: what is longer is refused before
 * anybody holds it twice.
 */

/** An id, a name, an image reference. */
export const shortText = z.string().max(1024);

/** A path of a file; the longest that Windows knows. */
export const pathText = z.string().min(1).max(32_767);

/** The text of a preset. */
export const presetText = z.string().max(4 * 2 ** 20);

/** The answer of a request that only does something. */
export const nothing = z.undefined().or(z.null());

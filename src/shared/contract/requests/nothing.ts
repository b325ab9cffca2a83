import * as z from 'zod';

/** The answer of a request that only does something. */
export const nothing = z.undefined().or(z.null());

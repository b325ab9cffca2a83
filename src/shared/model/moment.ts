import * as z from 'zod';

/** Ms since 1970, in the range of dates (ECMAScript, "Time Values and Time Range"). */
export const momentSchema = z.number().min(0).max(8.64e15);

import * as z from 'zod';

/** A moment, ms since 1970, that a date can be made of (ECMAScript, "Time Values and Time Range"). */
export const momentSchema = z.number().min(0).max(8.64e15);

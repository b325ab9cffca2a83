import * as z from 'zod';
import { saidSchema } from '../message.ts';

const LEFTOVER_KINDS = [
  'container',
  'image',
  'volume',
  'network',
  'service',
  'swarm',
  'folder',
  'run',
  'engine',
] as const;
export const leftThingSchema = z.object({ kind: z.enum(LEFTOVER_KINDS), name: z.string() });
export type LeftThing = z.infer<typeof leftThingSchema>;

export const leftoverSchema = leftThingSchema.extend({
  runId: z.string().nullable(),
  /** ms since 1970; when its run began, or a process took it. */
  since: z.number().nullable(),
  /** Whose it is; null: a process that has ended. */
  owner: saidSchema.nullable(),
  /** What the user has to agree to before it is removed, given back word for word; null: it goes at every start. */
  consent: z.string().nullable(),
});
export type Leftover = z.infer<typeof leftoverSchema>;

export const whatIsLeftSchema = z.object({
  kept: z.number().int(),
  /** Null: until conclusive. */
  left: z.number().int().nullable(),
  /** Estimate with preparation, ms. */
  leftMs: z.number(),
});
export type WhatIsLeft = z.infer<typeof whatIsLeftSchema>;

import * as z from 'zod';
import { saidSchema } from '../message.ts';

const LEFTOVER_KINDS = [
  ...(['container', 'image', 'volume', 'network', 'service', 'swarm'] as const),
  ...(['folder', 'run', 'engine'] as const),
] as const;
export const leftThingSchema = z.object({ kind: z.enum(LEFTOVER_KINDS), name: z.string() });
export type LeftThing = z.infer<typeof leftThingSchema>;

export const leftoverSchema = leftThingSchema.extend({
  runId: z.string().nullable(),
  /** Time of its run or of a process's use, ms since 1970. */
  since: z.number().nullable(),
  /** The owning process; null: it has ended. */
  owner: saidSchema.nullable(),
  /** The key of the user's consent; null: every start removes it. */
  consent: z.string().nullable(),
});
export type Leftover = z.infer<typeof leftoverSchema>;

export const whatIsLeftSchema = z.object({
  kept: z.number().int(),
  /** Null: the run is until conclusive. */
  left: z.number().int().nullable(),
  /** An estimate that includes preparation. */
  leftMs: z.number(),
});
export type WhatIsLeft = z.infer<typeof whatIsLeftSchema>;

import * as z from 'zod';

const LEFTOVER_KINDS = [
  'container',
  'volume',
  'network',
  'service',
  'config',
  'secret',
  'swarm',
  'folder',
] as const;
/** Something that a run left on an engine or on this machine. */
export const leftoverSchema = z.object({ kind: z.enum(LEFTOVER_KINDS), name: z.string() });
export type Leftover = z.infer<typeof leftoverSchema>;

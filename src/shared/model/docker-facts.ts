import * as z from 'zod';
import { PRODUCTS } from '../kinds/engines.ts';

/** Facts about Docker on this machine, collected only while no engine is usable, to tell why. */
export const dockerFactsSchema = z.object({
  platform: z.enum(['linux', 'darwin', 'win32']),
  wsl: z.boolean(),
  /** Installed or running, the likeliest first. */
  products: z.array(
    z.object({
      product: z.enum(PRODUCTS),
      isRunning: z.boolean(),
      /** Null if it does not run, or if unknown. */
      runningSeconds: z.number().nullable(),
    }),
  ),
  /** `docker` is on the PATH. */
  hasCommand: z.boolean(),
  /** How services are started. */
  services: z.enum(['systemd', 'snap', 'other']),
  user: z.string(),
  /** Owners of sockets that the user may not use. */
  sockets: z.array(
    z.object({
      path: z.string(),
      /** Name of the socket's group, or its number. */
      group: z.string(),
      /** The group may read and write. */
      openToGroup: z.boolean(),
      /** The user is in the group's list, though perhaps not in this session. */
      isMember: z.boolean(),
    }),
  ),
});
export type DockerFacts = z.infer<typeof dockerFactsSchema>;

import * as z from 'zod';

/** Programs that bring an engine, as they are installed. */
export const PRODUCTS = [
  'docker-desktop',
  'docker-engine',
  'orbstack',
  'colima',
  'rancher-desktop',
  'podman',
] as const;
export type Product = (typeof PRODUCTS)[number];

/**
 * What can be seen of Docker on this machine beside its sockets. Only looked at while no engine is usable: it tells one
 * reason for that from another.
 */
export const dockerFactsSchema = z.object({
  platform: z.enum(['linux', 'darwin', 'win32']),
  /** A Linux inside Windows (WSL). */
  wsl: z.boolean(),
  /** Programs that are installed or run, the likeliest to be meant first. */
  products: z.array(
    z.object({
      product: z.enum(PRODUCTS),
      isRunning: z.boolean(),
      /** Since when it runs; null when it doesn't, or when that isn't known. */
      runningSeconds: z.number().nullable(),
    }),
  ),
  /** The `docker` command is on the PATH. */
  hasCommand: z.boolean(),
  /** How services are started; snap has its own way to the engine that it brings. */
  services: z.enum(['systemd', 'snap', 'other']),
  user: z.string(),
  /** Of the sockets that the user may not use: whom they belong to. */
  sockets: z.array(
    z.object({
      path: z.string(),
      /** Name of the socket's group, or its number where it has no name. */
      group: z.string(),
      /** The group may read and write. */
      openToGroup: z.boolean(),
      /** The list of groups has the user in it, whether this session knows or not. */
      isMember: z.boolean(),
    }),
  ),
});
export type DockerFacts = z.infer<typeof dockerFactsSchema>;

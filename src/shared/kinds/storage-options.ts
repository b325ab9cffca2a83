import * as z from 'zod';
import type { MessageCode } from '../message.ts';

const nfsSchema = z.strictObject({
  address: z.string().min(1).describe("Host name or address of the NFS server, from the engine's machine."),
  path: z
    .string()
    .startsWith('/', 'preset.nfsExport' satisfies MessageCode)
    .describe('The exported directory on that server.'),
  version: z
    .union([z.enum(['3', '4', '4.0', '4.1', '4.2']), z.number().transform(String)])
    .pipe(z.enum(['3', '4', '4.0', '4.1', '4.2']))
    .default('4.2')
    .describe('Version of NFS.'),
  soft: z
    .boolean()
    .default(false)
    .describe('A soft mount gives up after a while: writes can be lost without an error in MySQL.'),
  lock: z
    .boolean()
    .default(true)
    .describe('False adds `nolock`, which version 3 needs if rpc.statd does not run.'),
});
export type NfsSpec = z.infer<typeof nfsSchema>;

/** What the data directory has when its server starts. */
export const START_STATES = ['filled', 'empty', 'empty-without-time-zones'] as const;

export const storageOptionsSchema = z.strictObject({
  starts: z
    .enum(START_STATES)
    .optional()
    .describe(
      'With the task `ready`: filled (the default) starts the server on data. The others initialize an empty data directory, with or without the tables of time zones.',
    ),
  sizeMiB: z.number().int().min(1).optional().describe('Size of a storage in memory, MiB.'),
  options: z
    .strictObject({
      type: z.string().min(1).describe('Type of the file system, as mount(8) names it.'),
      device: z.string().min(1).describe('What is mounted.'),
      o: z.string().optional().describe('Mount options, with commas between.'),
    })
    .optional()
    .describe('Options of the `local` volume driver, as in a compose file: type, o, device.'),
  nfs: nfsSchema.optional().describe('An NFS export.'),
});
export type StorageOptions = z.infer<typeof storageOptionsSchema>;

/** Source: Docker documentation, "docker volume create", driver-specific options; nfs(5). */
export function driverOptions({ options, nfs }: StorageOptions): Record<string, string> {
  if (nfs !== undefined) return nfsOptions(nfs);
  const { type = '', device = '', o } = options ?? {};
  return { type, device, ...(o === undefined ? {} : { o }) };
}

function nfsOptions({ address, path, version, soft, lock }: NfsSpec): Record<string, string> {
  return {
    type: version.startsWith('4') ? 'nfs4' : 'nfs',
    o: [
      // Keeps a stranger's address a single word, even when it is only shown.
      `addr=${address.replace(/[\s,]/g, '')}`,
      'rw',
      `nfsvers=${version}`,
      soft ? 'soft' : 'hard',
      ...(lock ? [] : ['nolock']),
    ].join(','),
    device: `:${path}`,
  };
}

import * as z from 'zod';
import type { MessageCode } from '../message.ts';

const nfsSchema = z.strictObject({
  address: z
    .string()
    .min(1)
    .describe("Host name or address of the NFS server, as the engine's machine reaches it."),
  path: z
    .string()
    .startsWith('/', 'preset.nfsExport' satisfies MessageCode)
    .describe('Directory that the server exports.'),
  version: z
    .union([z.enum(['3', '4', '4.0', '4.1', '4.2']), z.number().transform(String)])
    .pipe(z.enum(['3', '4', '4.0', '4.1', '4.2']))
    .default('4.2')
    .describe('NFS version.'),
  soft: z
    .boolean()
    .default(false)
    .describe('A soft mount gives up after a timeout: writes can be lost without an error in MySQL.'),
  lock: z
    .boolean()
    .default(true)
    .describe('False adds `nolock`, which version 3 needs where rpc.statd does not run.'),
});
export type NfsSpec = z.infer<typeof nfsSchema>;

/** The data directory at its server's start. */
export const START_STATES = ['filled', 'empty', 'empty-without-time-zones'] as const;

export const storageOptionsSchema = z.strictObject({
  starts: z
    .enum(START_STATES)
    .optional()
    .describe(
      'For the task `ready`: `filled` (the default) starts the server on data. The others start it on an empty data directory, with or without loading time zones.',
    ),
  sizeMiB: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Size of a tmpfs, MiB. Default: twice what the data needs.'),
  options: z
    .strictObject({
      type: z.string().min(1).describe('File system, as in mount(8), such as ext4.'),
      device: z.string().min(1).describe('Device, share, or folder that is mounted.'),
      o: z.string().optional().describe('Mount options, separated by commas.'),
    })
    .optional()
    .describe('Options of the `local` volume driver, as `driver_opts` in a Compose file.'),
  nfs: nfsSchema.optional().describe('NFS export, for the storage `nfs`.'),
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
      // An address of an opened result stays a single word.
      `addr=${address.replace(/[\s,]/g, '')}`,
      'rw',
      `nfsvers=${version}`,
      soft ? 'soft' : 'hard',
      ...(lock ? [] : ['nolock']),
    ].join(','),
    device: `:${path}`,
  };
}

import * as z from 'zod';
import { complaint } from '../field-problems.ts';
import type { MessageCode } from '../message.ts';
import { STORAGE_KINDS } from './names.ts';

/** An NFS export; becomes driver options of a local volume. */
const nfsSchema = z.strictObject({
  address: z
    .string()
    .min(1)
    .describe("Host name or address of the NFS server, as the engine's machine sees it."),
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
    .describe('A soft mount gives up after a while: writes can be lost without MySQL knowing.'),
  lock: z
    .boolean()
    .default(true)
    .describe('False adds `nolock`, which version 3 needs where rpc.statd does not run.'),
});
export type NfsSpec = z.infer<typeof nfsSchema>;

const storageObjectSchema = z
  .strictObject({
    kind: z.enum(STORAGE_KINDS).describe('Where the datadir lives.'),
    name: z.string().min(1).optional().describe("For people, in place of the kind's own name."),
    sizeMiB: z.number().int().min(1).optional().describe('Size of a tmpfs, MiB.'),
    options: z
      .strictObject({
        type: z.string().min(1).describe('Type of the file system, as mount(8) names it.'),
        device: z.string().min(1).describe('What is mounted.'),
        o: z.string().optional().describe('Mount options, with commas between.'),
      })
      .optional()
      .describe('Options of the `local` volume driver, as in a compose file: type, o, device.'),
    nfs: nfsSchema.optional().describe('An NFS export, in place of `options`.'),
  })
  .superRefine((storage, context) => {
    const problem = (field: string, code: MessageCode): void => context.addIssue(complaint([field], code));
    if (storage.sizeMiB !== undefined && storage.kind !== 'tmpfs') {
      problem('sizeMiB', 'preset.sizeOfTmpfs');
    }
    if (storage.kind === 'volume-options') {
      if ((storage.options === undefined) === (storage.nfs === undefined)) {
        problem('options', 'preset.volumeOptions');
      }
    } else {
      if (storage.options !== undefined) problem('options', 'preset.driverOptions');
      if (storage.nfs !== undefined) problem('nfs', 'preset.nfsOptions');
    }
  });
export type StorageSpec = z.infer<typeof storageObjectSchema>;

/** A kind, or a kind with options. */
export const storageSpecSchema = z.union(
  [z.enum(STORAGE_KINDS).transform((kind): StorageSpec => ({ kind })), storageObjectSchema],
  {
    error: (issue) =>
      typeof issue.input === 'string' ? ('preset.storageKinds' satisfies MessageCode) : undefined,
  },
);

import { BenchmarkError } from './errors.ts';
import type { NfsSpec, StorageSpec } from './model/storage-spec.ts';

/**
 * Options of Docker's local driver for a storage: as given, or made of the words of an NFS export.
 * Source of the form: Docker documentation, "docker volume create", driver-specific options; nfs(5).
 */
export function driverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  if (storage.nfs !== undefined) return nfsOptions(storage.nfs);
  const { type = '', device = '', o } = storage.options ?? {};
  return { type, device, ...(o === undefined ? {} : { o }) };
}

function nfsOptions({ address, path, version, soft, lock }: NfsSpec): Record<string, string> {
  const problem = /[,\s]/.test(address) ? 'address' : /[\s]/.test(path) ? 'path' : undefined;
  if (problem !== undefined) {
    throw new BenchmarkError(
      'PRESET_INVALID',
      { name: 'nfs', count: '1' },
      {
        evidence: [`nfs.${problem}: commas and spaces would be read as further mount options`],
      },
    );
  }
  return {
    type: version.startsWith('4') ? 'nfs4' : 'nfs',
    o: [
      `addr=${address}`,
      'rw',
      `nfsvers=${version}`,
      soft ? 'soft' : 'hard',
      ...(lock ? [] : ['nolock']),
    ].join(','),
    device: `:${path}`,
  };
}

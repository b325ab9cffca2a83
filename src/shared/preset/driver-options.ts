import { BenchmarkError } from '../errors.ts';
import type { NfsSpec, StorageSpec } from '../model/storage-spec.ts';
import { optionProblem } from './mount-options.ts';

/**
 * Options of Docker's local driver for a storage: as given, or made of the words of an NFS export.
 * Source of the form: Docker documentation, "docker volume create", driver-specific options; nfs(5).
 */
export function driverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  if (storage.nfs !== undefined) return nfsOptions(storage.nfs);
  const { type = '', device = '', o } = storage.options ?? {};
  return { type, device, ...(o === undefined ? {} : { o }) };
}

/** The same for an engine to carry out. Throws PRESET_INVALID where it would mount something else than it says. */
export function checkedDriverOptions(storage: Pick<StorageSpec, 'options' | 'nfs'>): Record<string, string> {
  const problem = optionProblem(storage);
  if (problem === undefined) return driverOptions(storage);
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: 'storages', count: '1' },
    { evidence: [`${problem.field}: ${problem.message}`] },
  );
}

function nfsOptions({ address, path, version, soft, lock }: NfsSpec): Record<string, string> {
  return {
    type: version.startsWith('4') ? 'nfs4' : 'nfs',
    o: [
      // Of a result that anybody may have written: one word stays one word, even where it is only shown.
      `addr=${address.replace(/[\s,]/g, '')}`,
      'rw',
      `nfsvers=${version}`,
      soft ? 'soft' : 'hard',
      ...(lock ? [] : ['nolock']),
    ].join(','),
    device: `:${path}`,
  };
}

import type { StorageKind } from '../../../shared/model/names.ts';
import type { StorageSpec } from '../../../shared/model/storage-spec.ts';

/** For people. */
export const STORAGE_NAMES: Record<StorageKind, string> = {
  'named-volume': 'named volume',
  'anonymous-volume': 'anonymous volume',
  'bind-mount': 'bind mount',
  'image-layer': 'image layer',
  'data-container': 'data container (--volumes-from)',
  'volume-options': 'volume with driver options',
  tmpfs: 'tmpfs',
  native: 'native server',
  external: 'external server',
};

/** What a storage is called: its own name, "NFS volume", or that of its kind. */
export function storageName(storage: StorageSpec): string {
  return storage.name ?? (storage.nfs === undefined ? STORAGE_NAMES[storage.kind] : 'NFS volume');
}

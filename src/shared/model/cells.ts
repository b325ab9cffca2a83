import { PATH_KINDS, STORAGE_KINDS, type PathKind } from './names.ts';

/** A storage (a kind, or a name the preset defines) with a path. */
export interface Cell {
  storage: string;
  path: PathKind;
}

/** Why a storage and a path never go together. */
export type Mismatch = 'native' | 'external' | 'loopback' | 'externalPath';

export function mismatch({ storage, path }: Cell): Mismatch | undefined {
  if (storage === 'native') return path === 'loopback' ? undefined : 'native';
  if (storage === 'external') return path === 'external' ? undefined : 'external';
  if (path === 'loopback') return 'loopback';
  return path === 'external' ? 'externalPath' : undefined;
}

/** Storages that need no options, in the order of choices. */
export const PLAIN_STORAGES = STORAGE_KINDS.filter(
  (kind) => kind !== 'volume-options' && kind !== 'native' && kind !== 'external',
);
export const CONTAINER_PATHS = PATH_KINDS.filter((path) => path !== 'loopback' && path !== 'external');

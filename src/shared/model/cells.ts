import { PATH_KINDS, STORAGE_KINDS, type PathKind } from './names.ts';

/** A storage with a path: a kind of storage, or the name of one that the preset defines. */
export interface Cell {
  storage: string;
  path: PathKind;
}

/** Why a storage and a path can never go together. */
export type Mismatch = 'native' | 'external' | 'loopback' | 'externalPath';

/** The mismatch of a cell, whatever the runtime; undefined when there is none. */
export function mismatch({ storage, path }: Cell): Mismatch | undefined {
  if (storage === 'native') return path === 'loopback' ? undefined : 'native';
  if (storage === 'external') return path === 'external' ? undefined : 'external';
  if (path === 'loopback') return 'loopback';
  return path === 'external' ? 'externalPath' : undefined;
}

/** Kinds of storage that need nothing more to be said, in the order in which they are offered. */
export const PLAIN_STORAGES = STORAGE_KINDS.filter(
  (kind) => kind !== 'volume-options' && kind !== 'native' && kind !== 'external',
);
/** Paths to a server in a container. */
export const CONTAINER_PATHS = PATH_KINDS.filter((path) => path !== 'loopback' && path !== 'external');

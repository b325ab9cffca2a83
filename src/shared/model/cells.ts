import type { PathKind } from '../kinds/paths.ts';
import { isContainerStorage, STORAGES } from '../kinds/storages.ts';
import { msg, type Message } from '../message.ts';
import { PATH_KINDS, STORAGE_KINDS } from './names.ts';

export interface Cell {
  storage: string;
  path: PathKind;
}

/** A native server's only path, which no other server has. */
export const NATIVE_PATH: PathKind = 'loopback';

export function isInContainer(storage: string): boolean {
  return storage !== 'native';
}

export function mismatch({ storage, path }: Cell): Message | undefined {
  const isNative = !isInContainer(storage);
  if (isNative === (path === NATIVE_PATH)) return undefined;
  return msg(isNative ? 'mismatch.storage.native' : 'mismatch.path.native');
}

export const PLAIN_STORAGES = STORAGE_KINDS.filter(isContainerStorage).filter(
  (kind) => STORAGES[kind].needsOption !== true,
);
export const CONTAINER_PATHS: readonly PathKind[] = PATH_KINDS.filter((path) => path !== NATIVE_PATH);

import { serverOfPath, type PathKind } from '../kinds/paths.ts';
import { isContainerStorage, STORAGES, type StorageKind } from '../kinds/storages.ts';
import { msg, type Message } from '../message.ts';
import { PATH_KINDS, STORAGE_KINDS } from './names.ts';

export interface Cell {
  storage: string;
  path: PathKind;
}

function serverOf(storage: string): 'container' | 'native' | 'external' {
  const kind = STORAGE_KINDS.find((one) => one === storage);
  return kind === undefined ? 'container' : STORAGES[kind].server;
}

export function isInContainer(storage: string): boolean {
  return serverOf(storage) === 'container';
}

export function mismatch({ storage, path }: Cell): Message | undefined {
  const server = serverOf(storage);
  const other = serverOfPath(path);
  if (server === other) return undefined;
  if (server !== 'container') return msg(`mismatch.storage.${server}`);
  return other === 'container' ? undefined : msg(`mismatch.path.${other}`);
}

export const PLAIN_STORAGES = STORAGE_KINDS.filter(isContainerStorage).filter(
  (kind) => STORAGES[kind].needsOption !== true,
);
export const CONTAINER_PATHS = PATH_KINDS.filter((path) => serverOfPath(path) === 'container');

export function onlyPathTo(kind: StorageKind): PathKind | undefined {
  return isContainerStorage(kind)
    ? undefined
    : PATH_KINDS.find((path) => serverOfPath(path) === STORAGES[kind].server);
}

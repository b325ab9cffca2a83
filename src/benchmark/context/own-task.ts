import type { Task } from '../../shared/model/task.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';

/** The user's own words, of this call only, and stored nowhere. */
export interface OwnCommand {
  words: readonly string[];
  folder: string;
  limitSeconds: number;
  tell: (lines: string[]) => void;
}

export interface SqlFile {
  bytes: number;
  open(): AsyncIterable<Uint8Array>;
}

/** The user's files on a volume of the engine. */
export interface Dump {
  mounts: MountSpec[];
}

/** Unpacked on this machine, with the account of a client's option file. */
export interface DumpHere {
  account: string;
  files: readonly string[];
}

/** A project's, with its passwords. */
export interface FirstStart {
  env: Record<string, string>;
  mounts: MountSpec[];
  /** In no result. */
  hidden: readonly string[];
}

export interface Timed {
  task?: Task | undefined;
  own?: OwnTask | undefined;
  /** Of servers that are compared, in place of the preset's. */
  comparedImages?: readonly string[] | undefined;
}

export interface OwnTask {
  start?: FirstStart | undefined;
  command?: OwnCommand | undefined;
  dump?: readonly SqlFile[] | undefined;
  before?: readonly SqlFile[] | undefined;
}

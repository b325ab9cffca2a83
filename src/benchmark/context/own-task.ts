import type { Task } from '../../shared/model/task.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';

/** A command in the user's own words, which are stored nowhere. */
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

/** The user's files unpacked on this machine, and the option file of a client's account. */
export interface DumpHere {
  account: string;
  files: readonly string[];
}

/** The first start of a project, with its passwords. */
export interface FirstStart {
  env: Record<string, string>;
  mounts: MountSpec[];
  /** Words that are in no result. */
  hidden: readonly string[];
}

export interface Timed {
  task?: Task | undefined;
  own?: OwnTask | undefined;
  /** Images of the compared servers, in place of the preset's. */
  comparedImages?: readonly string[] | undefined;
}

export interface OwnTask {
  start?: FirstStart | undefined;
  command?: OwnCommand | undefined;
  dump?: readonly SqlFile[] | undefined;
  before?: readonly SqlFile[] | undefined;
}

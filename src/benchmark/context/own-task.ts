import type { Task } from '../../shared/model/task.ts';
import type { MountSpec } from '../runtime/container-runtime.ts';

/** The user's words are stored nowhere. */
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

export interface Dump {
  mounts: MountSpec[];
}

/** `account` is the client's option file. */
export interface DumpHere {
  account: string;
  files: readonly string[];
}

export interface FirstStart {
  env: Record<string, string>;
  mounts: MountSpec[];
  /** Words that are in no result. */
  hidden: readonly string[];
}

export interface Timed {
  task?: Task | undefined;
  own?: OwnTask | undefined;
  /** These images replace the preset's. */
  comparedImages?: readonly string[] | undefined;
}

export interface OwnTask {
  start?: FirstStart | undefined;
  command?: OwnCommand | undefined;
  dump?: readonly SqlFile[] | undefined;
  before?: readonly SqlFile[] | undefined;
}

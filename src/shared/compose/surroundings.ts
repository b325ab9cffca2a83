import type { Message } from '../message.ts';
import type { Place } from '../model/database.ts';
import type { ComposeModel } from './model.ts';

export type Found =
  | { kind: 'text'; text: string }
  | { kind: 'folder'; names: readonly string[] }
  | { kind: 'unread'; reason: Message; isMissing: boolean };

/** As the files write it, with variables. */
export interface WrittenService {
  image: string;
  command: string[];
  entrypoint: string[];
  environment: Readonly<Record<string, string>>;
}

/** A resolved project, and what else is needed to read its databases. */
export interface Surroundings {
  model: ComposeModel;
  isWindows: boolean;
  /** Undefined: Compose doesn't say it. */
  written(service: string): WrittenService | undefined;
  find(path: string): Promise<Found>;
  /** Where the project's files write this of a service, for display; null: none of the given files does. */
  locate(service: string, key?: string, text?: string): Place | null;
}

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

export function isWindowsPath(path: string): boolean {
  return WINDOWS.test(path);
}

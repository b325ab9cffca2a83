import type { Message } from '../message.ts';
import type { Place } from '../model/database.ts';
import type { ComposeModel } from './model.ts';

export type Found =
  | { kind: 'text'; text: string }
  | { kind: 'folder'; names: readonly string[] }
  | { kind: 'unread'; reason: Message; isMissing: boolean };

/** A service as the files write it, with variables. */
export interface WrittenService {
  image: string;
  command: string[];
  entrypoint: string[];
  environment: Readonly<Record<string, string>>;
}

/** A resolved project with all that is needed to read its databases. */
export interface Surroundings {
  model: ComposeModel;
  isWindows: boolean;
  /** Undefined: Compose didn't print it. */
  written(service: string): WrittenService | undefined;
  find(path: string): Promise<Found>;
  /** The place in the project's files that writes this key of a service, or its item with the text; null: none does. */
  locate(service: string, key?: string, text?: string): Place | null;
}

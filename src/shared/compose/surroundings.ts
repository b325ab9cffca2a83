import type { Message } from '../message.ts';
import type { Place } from '../model/database.ts';
import type { ComposeModel } from './model.ts';

export type Found =
  | { kind: 'text'; text: string }
  | { kind: 'folder'; names: readonly string[] }
  | { kind: 'unread'; reason: Message; isMissing: boolean };

/** A service with variables. */
export interface WrittenService {
  image: string;
  command: string[];
  entrypoint: string[];
  environment: Readonly<Record<string, string>>;
}

export interface Surroundings {
  model: ComposeModel;
  isWindows: boolean;
  /** Undefined: Compose didn't print it. */
  written(service: string): WrittenService | undefined;
  find(path: string): Promise<Found>;
  /** Null: no line writes the key or the item with this text. */
  locate(service: string, key?: string, text?: string): Place | null;
}

import type { Message } from '../../message.ts';
import type { EnvContent } from './env-text.ts';

/** What is at a path. */
export type Found =
  | { kind: 'text'; text: string }
  | { kind: 'folder'; names: readonly string[] }
  | { kind: 'unread'; reason: Message; isMissing: boolean };

export interface ComposeInput {
  /** Absolute; later ones override earlier ones. */
  files: readonly string[];
  /** Of the project: relative paths begin here, and its `.env` is read. */
  folder: string;
  profiles: readonly string[];
  /** Of the user's shell; comes before `.env`. */
  environment: Readonly<Record<string, string | undefined>>;
  home: string | null;
  isWindows: boolean;
  resolve(folder: string, path: string): string;
  folderOf(path: string): string;
  /** Undefined: not looked up yet. */
  found(path: string): Found | undefined;
  /** Whether an option of the server program, `--name=value`, only tunes it. */
  isTuning(option: string): boolean;
}

/** The texts of a project as far as they are known, and which are still needed. */
export class Texts {
  readonly needed = new Set<string>();
  readonly #input: ComposeInput;
  readonly #environments = new Map<string, EnvContent>();

  constructor(input: ComposeInput) {
    this.#input = input;
  }

  /** Undefined: needed, and not there yet. */
  at(path: string): Found | undefined {
    const found = this.#input.found(path);
    if (found === undefined) this.needed.add(path);
    return found;
  }

  /** Many services may name the same file: it is parsed for the first. */
  environmentIn(path: string, parse: () => EnvContent): EnvContent {
    const content = this.#environments.get(path) ?? parse();
    this.#environments.set(path, content);
    return content;
  }
}

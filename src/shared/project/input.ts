import type { Message } from '../message.ts';
import type { At } from './tree.ts';

/** What counts in an env file. */
export interface EnvContent {
  /** Without their names; for one look at them, never kept. */
  values: readonly string[];
  /** Of servers' variables. */
  names: readonly string[];
}

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

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

export function isWindowsPath(path: string): boolean {
  return WINDOWS.test(path);
}

/** A folder, not the name of a volume. Compose Specification, "volumes", short syntax. */
export function isFolder(source: string): boolean {
  return /^[./~]/.test(source) || isWindowsPath(source);
}

/** A path of a file, from the folder where its relative paths begin. */
export function hostPath(
  path: string,
  { source }: At,
  input: Pick<ComposeInput, 'home' | 'resolve'>,
): string {
  if (WINDOWS.test(path)) return path;
  const [, ownPath] = /^~(?:[\\/](.*))?$/s.exec(path) ?? [path, undefined];
  if (path.startsWith('~') && input.home !== null) return input.resolve(input.home, ownPath ?? '.');
  return input.resolve(source.base, path);
}

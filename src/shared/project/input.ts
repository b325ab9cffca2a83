import type { Message } from '../message.ts';
import type { At } from './tree.ts';

export interface EnvContent {
  /** Never kept. */
  values: readonly string[];
  /** Of servers' variables. */
  names: readonly string[];
}

export type Found =
  | { kind: 'text'; text: string }
  | { kind: 'folder'; names: readonly string[] }
  | { kind: 'unread'; reason: Message; isMissing: boolean };

export interface ComposeInput {
  /** Absolute; later ones override. */
  files: readonly string[];
  /** Relative paths begin here, and its `.env` is read. */
  folder: string;
  profiles: readonly string[];
  /** Before `.env`. */
  environment: Readonly<Record<string, string | undefined>>;
  home: string | null;
  isWindows: boolean;
  resolve(folder: string, path: string): string;
  folderOf(path: string): string;
  found(path: string): Found | undefined;
}

export class Texts {
  readonly needed = new Set<string>();
  readonly #input: ComposeInput;
  readonly #environments = new Map<string, EnvContent>();

  constructor(input: ComposeInput) {
    this.#input = input;
  }

  /** Undefined: needed. */
  at(path: string): Found | undefined {
    const found = this.#input.found(path);
    if (found === undefined) this.needed.add(path);
    return found;
  }

  /** Many services may name one file: it is parsed once. */
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

/** Compose Specification, "volumes", short syntax. */
export function isFolder(source: string): boolean {
  return /^[./~]/.test(source) || isWindowsPath(source);
}

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

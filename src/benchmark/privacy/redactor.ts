import {
  PRIVATE_KINDS,
  type LeftOutKind,
  type PrivateKind,
  type Sharing,
} from '../../shared/model/sharing.ts';

/** Folders in which people's own files live; paths inside containers (/var/lib/mysql) tell nothing about anybody. */
const HOST_PATH =
  /(?:\/(?:home|Users|root|Volumes|mnt|media|srv|run\/user|private|tmp)\/|\b[A-Za-z]:[\\/]|\\\\)[^\s"'”,;)]+/g;
/** The same in quotation marks, where blanks belong to it. */
const QUOTED_PATH =
  /(?<=['"“])(?:\/(?:home|Users|root|Volumes|mnt|media|srv|run\/user|private|tmp)\/|[A-Za-z]:[\\/]|\\\\)[^'"”\n]{1,1000}(?=['"”])/g;
/** Of engines, and of databases. */
const ENDPOINT = /\b(?:unix|npipe|tcp|ssh|fd|mysql|mariadb):\/\/[^\s"'”,;)]+/g;
const PASSWORD_IN_URL = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;
/** Looked for from the start of a name only: else a long one would be read again from each of its letters. */
const PASSWORD_OPTION = /(?<![\w-])([\w-]*pass(?:word|wd)?)=[^\s"'”,;)]+/gi;
/** Registries that everybody uses stay: they explain a failed pull. */
const WEB_HOST = /\b(https?:\/\/)(?!registry-1\.docker\.io|auth\.docker\.io|ghcr\.io|quay\.io)[^\s/"'”]+/g;
/** Four numbers, but no part of a version; loopback and "any" tell nothing. */
const IPV4 = /(?<![\w.-])(?!127\.0\.0\.1\b|0\.0\.0\.0\b)(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g;
/** What might be an IPv6 address; times of day look alike, `isIpv6` tells them apart. */
const COLONS = /(?<![\w:.])[0-9a-f:]{2,45}(?![\w:])/gi;

export const PRIVATE = '<private>';
export const PATH = '<path>';
const PASSWORD = '<password>';

/** A word that is private wherever it turns up. */
export interface PrivateWord {
  word: string;
  kind: LeftOutKind;
}

/**
 * Finds any of these words. Longer words come first: a folder inside another one must go as a whole. `pattern` adds what
 * has to stand around a word, whose regular expression it gets.
 */
export function anyOf(
  words: Iterable<string>,
  pattern: (source: string, word: string) => string = (source) => source,
  flags = 'g',
): RegExp {
  const all = [...new Set(words)].sort((a, b) => b.length - a.length);
  return new RegExp(all.map((word) => pattern(escapeRegExp(word), word)).join('|') || '(?!)', flags);
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Takes private words out of texts, all but the kinds that are to be included, and counts what it took out. */
export class Redactor {
  readonly #include: ReadonlySet<LeftOutKind>;
  readonly #counts = new Map<LeftOutKind, number>();
  readonly #kinds: Map<string, LeftOutKind>;
  readonly #known: RegExp;

  /** Only kinds that are not included need to be known: a folder that is shown must still not show whose it is. */
  constructor(words: readonly PrivateWord[], include: readonly PrivateKind[]) {
    this.#include = new Set(include);
    const hidden = words.filter(({ word, kind }) => word.length > 1 && !this.#include.has(kind));
    this.#kinds = new Map(hidden.map(({ word, kind }) => [word, kind]));
    this.#known = anyOf(this.#kinds.keys(), (word) => `(?<!\\w)${word}(?!\\w)`);
  }

  includes(kind: LeftOutKind): boolean {
    return this.#include.has(kind);
  }

  /** The value itself where its kind is included, else what stands for it; null and nothing are no secrets. */
  value<T, U>(kind: LeftOutKind, value: T, instead: U): T | U {
    if (this.includes(kind) || value === null || value === '') return value;
    this.count(kind);
    return instead;
  }

  count(kind: LeftOutKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** Free text: an error, a line of a log. Passwords never stay. */
  readonly text = (text: string): string => {
    let left = text.replace(PASSWORD_IN_URL, (_, before: string) =>
      this.#took('secret', `${before}:${PASSWORD}@`),
    );
    left = left.replace(PASSWORD_OPTION, (_, name: string) => this.#took('secret', `${name}=${PASSWORD}`));
    left = left.replace(this.#known, (word) => this.#took(this.#kinds.get(word) ?? 'secret', PRIVATE));
    if (!this.includes('endpoint')) left = left.replace(ENDPOINT, () => this.#took('endpoint', '<endpoint>'));
    if (!this.includes('path')) {
      for (const pattern of [QUOTED_PATH, HOST_PATH])
        left = left.replace(pattern, () => this.#took('path', PATH));
    }
    if (this.includes('address')) return left;
    return left
      .replace(WEB_HOST, (_, scheme: string) => this.#took('address', `${scheme}<host>`))
      .replace(IPV4, () => this.#took('address', '<address>'))
      .replace(COLONS, (one) => (isIpv6(one) ? this.#took('address', '<address>') : one));
  };

  /** What was done so far. */
  sharing(): Sharing {
    return {
      included: PRIVATE_KINDS.filter((kind) => this.#include.has(kind)),
      leftOut: Object.fromEntries(this.#counts),
    };
  }

  #took(kind: LeftOutKind, instead: string): string {
    this.count(kind);
    return instead;
  }
}

/** Not loopback, which tells nothing. */
function isIpv6(text: string): boolean {
  return text !== '::1' && /[^:]$/.test(text) && (text.includes('::') || text.split(':').length === 8);
}

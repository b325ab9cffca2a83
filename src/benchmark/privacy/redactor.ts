import { escapeRegExp } from '../../shared/escape-reg-exp.ts';
import { hostname, userInfo } from 'node:os';
import { withoutOwnImages } from './own-images.ts';
import {
  PRIVATE_KINDS,
  type LeftOutKind,
  type PrivateKind,
  type Sharing,
} from '../../shared/model/sharing.ts';

export interface OwnNames {
  host?: string;
  user?: string;
}

const COMMON_NAMES = new Set([
  'root',
  'user',
  'admin',
  'ubuntu',
  'docker',
  'mysql',
  'localhost',
  'runner',
  'vagrant',
]);

export function isTelling(name: string): boolean {
  return name.length >= 3 && !COMMON_NAMES.has(name.toLowerCase());
}

export function ownNames(): OwnNames {
  const host = hostname();
  try {
    return { host, user: userInfo().username };
  } catch {
    return { host };
  }
}

/** Container paths such as /var/lib/mysql stay. */
const HOST_PATH =
  /(?:\/(?:home|Users|root|Volumes|mnt|media|srv|run\/user|private|tmp)\/|\b[A-Za-z]:[\\/]|\\\\)[^\s"'”,;)]+/g;
const QUOTED_PATH =
  /(?<=['"“])(?:\/(?:home|Users|root|Volumes|mnt|media|srv|run\/user|private|tmp)\/|[A-Za-z]:[\\/]|\\\\)[^'"”\n]{1,1000}(?=['"”])/g;
const ENDPOINT = /\b(?:unix|npipe|tcp|ssh|fd|mysql|mariadb):\/\/[^\s"'”,;)]+(?<![:.])/g;
const PASSWORD_IN_URL = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;
/** "(using password: YES)" contains no password. */
const PASSWORD_NAMED =
  /((?:pass(?:word|wd|phrase)?|_pwd|secret|token)["']?(?: is generated for [^:\s]+)?\s*[:=]\s*|(?<![\w-])--[\w-]{0,60}pass(?:word|wd)?\s+|identified by\s+)(?!(?:YES|NO)\))(?:'[^']*'|"[^"]*"|\S+)/gi;
/** Public registries stay: they explain a failed pull. */
const WEB_HOST = /\b(https?:\/\/)(?!registry-1\.docker\.io|auth\.docker\.io|ghcr\.io|quay\.io)[^\s/"'”]+/g;
const IPV4 = /(?<![\w.-])(?!127\.0\.0\.1\b|0\.0\.0\.0\b)(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g;
/** Times of day match, too. */
const COLONS = /(?<![\w:.])[0-9a-f:]{2,45}(?![\w:])/gi;

export const PRIVATE = '<private>';
export const PATH = '<path>';
const PASSWORD = '<password>';

export interface PrivateWord {
  word: string;
  kind: LeftOutKind;
  instead?: string;
}

export function anyOf(
  words: Iterable<string>,
  pattern: (source: string, word: string) => string = (source) => source,
  flags = 'g',
): RegExp {
  const all = [...new Set(words)].sort((a, b) => b.length - a.length);
  return new RegExp(all.map((word) => pattern(escapeRegExp(word), word)).join('|') || '(?!)', flags);
}

export class Redactor {
  readonly #include: ReadonlySet<LeftOutKind>;
  readonly #counts = new Map<LeftOutKind, number>();
  readonly #hidden: Map<string, PrivateWord>;
  readonly #known: RegExp;

  constructor(words: readonly PrivateWord[], include: readonly PrivateKind[]) {
    this.#include = new Set(include);
    const hidden = words.filter(({ word, kind }) => word.length > 1 && !this.#include.has(kind));
    this.#hidden = new Map(hidden.map((one) => [one.word, one]));
    this.#known = anyOf(this.#hidden.keys(), (word) => `(?<!\\w)${word}(?!\\w)`);
  }

  includes(kind: LeftOutKind): boolean {
    return this.#include.has(kind);
  }

  value<T, U>(kind: LeftOutKind, value: T, instead: U): T | U {
    if (this.includes(kind) || value === null || value === '') return value;
    this.count(kind);
    return instead;
  }

  count(kind: LeftOutKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  readonly text = (text: string): string => {
    let left = text.replace(PASSWORD_IN_URL, (_, before: string) =>
      this.#took('secret', `${before}:${PASSWORD}@`),
    );
    left = left.replace(PASSWORD_NAMED, (_, before: string) => this.#took('secret', `${before}${PASSWORD}`));
    left = left.replace(this.#known, (word) => {
      const { kind = 'secret', instead = PRIVATE } = this.#hidden.get(word) ?? {};
      return this.#took(kind, instead);
    });
    if (!this.includes('endpoint')) left = left.replace(ENDPOINT, () => this.#took('endpoint', '<endpoint>'));
    if (!this.includes('path')) {
      for (const pattern of [QUOTED_PATH, HOST_PATH])
        left = left.replace(pattern, () => this.#took('path', PATH));
    }
    if (this.includes('address')) return left;
    return withoutOwnImages(left, () => this.#took('address', '<image>'))
      .replace(WEB_HOST, (_, scheme: string) => this.#took('address', `${scheme}<host>`))
      .replace(IPV4, () => this.#took('address', '<address>'))
      .replace(COLONS, (one) => (isIpv6(one) ? this.#took('address', '<address>') : one));
  };

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

function isIpv6(text: string): boolean {
  return text !== '::1' && /[^:]$/.test(text) && (text.includes('::') || text.split(':').length === 8);
}

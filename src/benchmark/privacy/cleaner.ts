import { mapSaid } from '../../shared/message.ts';
import { mapError } from '../../shared/errors.ts';
import { escapeRegExp } from '../../shared/escape-reg-exp.ts';
import { anyOf, isTelling, type OwnNames, PATH, PRIVATE, Redactor } from './redactor.ts';
import type { RunEvent } from '../../shared/model/events.ts';

const HIDDEN = '***';
/** Shorter words are only redacted where they stand alone. */
const TELLING_LENGTH = 6;

export class HiddenWords {
  readonly #forms = new Set<string>();
  #pattern: RegExp | undefined;

  add(word: string): void {
    if (word === '') return;
    const base64 = Buffer.from(word).toString('base64');
    const forms = [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1), base64];
    for (const form of forms) this.#forms.add(form);
    this.#pattern = anyOf(this.#forms, (source, form) =>
      form.length < TELLING_LENGTH ? `(?<!\\w)${source}(?!\\w)` : source,
    );
  }

  readonly text = (value: string): string =>
    this.#pattern === undefined ? value : value.replace(this.#pattern, HIDDEN);

  /** Plans contain no secrets, and windows no text. */
  cleaned(event: RunEvent): RunEvent {
    if (this.#pattern === undefined) return event;
    const { text } = this;
    switch (event.type) {
      case 'step-progress':
        return { ...event, detail: mapSaid(event.detail, text) };
      case 'step-finished':
      case 'run-finished':
        return event.error === null ? event : { ...event, error: mapError(event.error, text) };
      case 'trial-failed':
      case 'trial-lost':
        return { ...event, error: mapError(event.error, text) };
      case 'server-log':
        return { ...event, lines: event.lines.map(text) };
      case 'notice':
        return { ...event, notice: { ...event.notice, message: mapSaid(event.notice.message, text) } };
      default:
        return event;
    }
  }
}

export interface Whose {
  dataDir: string;
  homeDirectory: string;
  names: OwnNames;
}

/** URLs with a password, to the word's end. */
const ADDRESS =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s@]{0,500}@\S+|(?:mysql|mariadb|ssh):\/\/\S+/gi;
/** File and line of Whalemark's bundles stay. */
const OWN_CODE = /(?<![^\s("'<])[^\s("'<]*[\\/](?=(?:main|core|client|preload|whalemark)\.cjs:\d)/g;
/** "user@machine" in any script, but no image's digest. */
const SSH_TARGET =
  /(?<![\p{L}\p{M}\p{N}_.+-])[\p{L}\p{M}\p{N}_.+-]+@(?!sha256:)[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_.-]*/gu;

export class Cleaner {
  readonly #dataDir: RegExp;
  readonly #home: RegExp;
  readonly #patterns = new Redactor([], []);
  readonly #names = new Set<string>();
  readonly #places = new Set<string>();
  #namePattern = anyOf([]);
  #placePattern = anyOf([]);

  constructor({ dataDir, homeDirectory, names: { host = '', user = '' } }: Whose) {
    this.#dataDir = new RegExp(`${placePattern(dataDir)}(?![\\w-])`, 'gi');
    const home = `${placePattern(homeDirectory)}(?![\\w-])`;
    // Quoted paths may contain spaces.
    this.#home = new RegExp(`(?<=['"“])${home}([^'"”\\n]{0,1000})(?=['"”])|${home}([^\\s"'”,;)]*)`, 'gi');
    // Machines are called "name" or "name.local".
    this.learn([host, host.replace(/\..*$/s, ''), user]);
  }

  learn(names: readonly string[]): void {
    for (const name of names) {
      if (isTelling(name)) (/[\\/]/.test(name) ? this.#places : this.#names).add(name);
    }
    this.#placePattern = anyOf(this.#places, (place) => `${place}(?![\\w-])`, 'giu');
    // "ada_db_1" names Ada as well; "Adam" doesn't.
    this.#namePattern = anyOf(this.#names, (name) => `(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu');
  }

  readonly text = (text: string): string => {
    const left = text
      .replace(OWN_CODE, '<app>/')
      .replace(this.#dataDir, '<data>')
      .replace(this.#placePattern, PATH)
      .replace(this.#home, (_, quoted?: string, bare?: string) => ((quoted ?? bare) === '' ? '~' : '~/…'))
      .replace(ADDRESS, '<endpoint>')
      .replace(SSH_TARGET, '<address>')
      .replace(this.#namePattern, PRIVATE);
    return this.#patterns.text(left);
  };

  data(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.data(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.data(one)]));
  }
}

/** A whole disk matches nothing. */
function placePattern(folder: string): string {
  const parts = folder.split(/[\\/]+/).filter((part, index) => part !== '' || index === 0);
  // Anchored, so that long rows of separators stay linear.
  const start = parts[0] === '' ? '(?<![\\\\/])' : '';
  return parts.length < 2 ? '(?!)' : start + parts.map(escapeRegExp).join('[\\\\/]+');
}

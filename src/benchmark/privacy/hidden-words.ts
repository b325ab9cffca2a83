import { mapSaid } from '../../shared/message.ts';
import { mapError } from '../../shared/errors.ts';
import { anyOf } from './redactor.ts';
import type { RunEvent } from '../../shared/model/events.ts';

const HIDDEN = '***';
/** Shorter words are only redacted where they stand alone. */
const TELLING_LENGTH = 6;

/**
 * Secrets that no event of a run may contain, whether from a server's log or an engine's message. A last guard:
 * secrets should not get here.
 */
export class HiddenWords {
  readonly #forms = new Set<string>();
  readonly #names = new Set<string>();
  #pattern: RegExp | undefined;

  /** Redacts the word from now on, also URL-encoded, in JSON, and in base64. */
  add(word: string): void {
    if (word === '') return;
    const base64 = Buffer.from(word).toString('base64');
    const forms = [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1), base64];
    for (const form of forms) this.#forms.add(form);
    this.#compile();
  }

  /** Names, redacted only where they stand alone. */
  addNames(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    this.#compile();
  }

  readonly text = (value: string): string =>
    this.#pattern === undefined ? value : value.replace(this.#pattern, HIDDEN);

  /** The event with its free texts redacted. Plans contain no secrets, windows no text. */
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
        return { ...event, error: mapError(event.error, text) };
      case 'server-log':
        return { ...event, lines: event.lines.map(text) };
      case 'notice':
        return { ...event, notice: { ...event.notice, message: mapSaid(event.notice.message, text) } };
      case 'consistency':
        return {
          ...event,
          consistency: { ...event.consistency, broken: event.consistency.broken.map(text) },
        };
      default:
        return event;
    }
  }

  #compile(): void {
    this.#pattern = anyOf([...this.#forms, ...this.#names], (source, word) =>
      word.length < TELLING_LENGTH || !this.#forms.has(word) ? `(?<!\\w)${source}(?!\\w)` : source,
    );
  }
}

/** The password of a DSN, as written and decoded. */
export function wordsOfDsn(dsn: string): string[] {
  const written = /^\w+:\/\/[^:@/]*:(.*)@/s.exec(dsn)?.[1];
  if (written === undefined || written === '') return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}

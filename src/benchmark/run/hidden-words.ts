import type { ErrorData } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/model/events.ts';

const HIDDEN = '***';
/** A shorter word may be part of any other; it is only taken out where it stands alone. */
const TELLING_LENGTH = 6;

/**
 * Words that no event of a run may hold, however they got there: a server's log, an engine's or a driver's message.
 * The last of several guards: nothing here should ever have anything to do.
 */
export class HiddenWords {
  readonly #forms = new Set<string>();
  #pattern: RegExp | undefined;

  /** From here on the word is taken out, also as it stands in an address, in JSON and in base64. */
  add(word: string): void {
    if (word === '') return;
    const base64 = Buffer.from(word).toString('base64');
    const forms = [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1), base64];
    for (const form of forms) this.#forms.add(form);
    const patterns = [...this.#forms]
      // Longer ones first: one may be the beginning of another.
      .sort((a, b) => b.length - a.length)
      .map((form) => {
        const literal = form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
        return form.length < TELLING_LENGTH ? `(?<!\\w)${literal}(?!\\w)` : literal;
      });
    this.#pattern = new RegExp(patterns.join('|'), 'g');
  }

  /** The event with free texts cleaned; the same one when there is nothing to clean. Plans hold no secret, windows no text. */
  cleaned(event: RunEvent): RunEvent {
    const pattern = this.#pattern;
    if (pattern === undefined) return event;
    const text = (value: string): string => value.replace(pattern, HIDDEN);
    switch (event.type) {
      case 'step-progress':
        return { ...event, detail: text(event.detail) };
      case 'step-finished':
      case 'run-finished':
        return event.error === null ? event : { ...event, error: cleanedError(event.error, text) };
      case 'trial-failed':
        return { ...event, error: cleanedError(event.error, text) };
      case 'server-log':
        return { ...event, lines: event.lines.map(text) };
      case 'notice':
        return { ...event, notice: { ...event.notice, message: text(event.notice.message) } };
      case 'consistency':
        return {
          ...event,
          consistency: { ...event.consistency, broken: event.consistency.broken.map(text) },
        };
      default:
        return event;
    }
  }
}

function cleanedError(error: ErrorData, text: (value: string) => string): ErrorData {
  return {
    ...error,
    message: text(error.message),
    hint: text(error.hint),
    evidence: error.evidence.map(text),
    params: Object.fromEntries(Object.entries(error.params).map(([name, value]) => [name, text(value)])),
  };
}

/** The password of a DSN, as it was written and as it is; none when there is none to see. */
export function wordsOfDsn(dsn: string): string[] {
  const written = /^\w+:\/\/[^:@/]*:(.*)@/s.exec(dsn)?.[1];
  if (written === undefined || written === '') return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}

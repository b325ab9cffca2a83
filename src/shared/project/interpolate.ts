import { msg, type Message } from '../message.ts';

interface Interpolated {
  text: string;
  unset: string[];
  used: string[];
  problem: Message | undefined;
}

export type Variables = (name: string) => string | undefined;

/** Own fields: a text may name `__proto__`. */
export function variablesIn(environment: Readonly<Record<string, string | undefined>>): Variables {
  return (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
}

const LONGEST = 64 * 1024;
const DEEPEST = 20;

/** Source: Docker documentation, "Interpolation". */
export function interpolated(text: string, variables: Variables): Interpolated {
  if (!text.includes('$')) return { text, unset: [], used: [], problem: undefined };
  const reader = new Interpolation(text, variables);
  const result = reader.text(0);
  const problem = reader.problem ?? (result.length > LONGEST ? msg('compose.tooLong') : undefined);
  return {
    text: problem === undefined ? result : '',
    unset: [...reader.unset],
    used: [...reader.used],
    problem,
  };
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const OPERATOR = /:[-?+]|[-?+]/y;

class Interpolation {
  readonly unset = new Set<string>();
  readonly used = new Set<string>();
  problem: Message | undefined;
  #at = 0;
  readonly #text: string;
  readonly #variables: Variables;

  constructor(text: string, variables: Variables) {
    this.#text = text;
    this.#variables = variables;
  }

  /** Up to the end or the closing brace. Unused alternatives set no problem. */
  text(depth: number, isUsed = true): string {
    const parts: string[] = [];
    let length = 0;
    while (this.#at < this.#text.length && this.problem === undefined) {
      const char = this.#text[this.#at] ?? '';
      if (depth > 0 && char === '}') break;
      const part = char === '$' ? this.#variable(depth, isUsed) : this.#plain(depth);
      length += part.length;
      parts.push(part);
      if (length > LONGEST) this.problem = msg('compose.tooLong');
    }
    return parts.join('');
  }

  #plain(depth: number): string {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === '$' || (depth > 0 && char === '}')) break;
      this.#at += 1;
    }
    return this.#text.slice(start, this.#at);
  }

  #variable(depth: number, isUsed: boolean): string {
    this.#at += 1;
    if (this.#text[this.#at] === '$') {
      this.#at += 1;
      return '$';
    }
    if (this.#text[this.#at] === '{') {
      this.#at += 1;
      return this.#braced(depth, isUsed);
    }
    const name = this.#match(NAME);
    // Compose leaves it as it is.
    return name === undefined ? '$' : this.#value(name, isUsed);
  }

  #braced(depth: number, isUsed: boolean): string {
    const name = this.#match(NAME);
    if (name === undefined || depth >= DEEPEST) return this.#broken();
    const operator = this.#match(OPERATOR);
    const value = this.#variables(name);
    const isGiven =
      operator?.startsWith(':') === true ? value !== undefined && value !== '' : value !== undefined;
    const kind = operator?.at(-1);
    const usesArgument = kind === '+' ? isGiven : kind === '-' && !isGiven;
    const argument = kind === undefined ? '' : this.text(depth + 1, isUsed && usesArgument);
    if (this.problem !== undefined) return '';
    if (this.#text[this.#at] !== '}') return this.#broken();
    this.#at += 1;
    if (kind === undefined) return this.#value(name, isUsed);
    if (kind === '?' && !isGiven && isUsed) this.problem = msg('compose.required', { name });
    if (kind === '+') return isGiven ? argument : '';
    return isGiven ? this.#value(name, isUsed) : argument;
  }

  #value(name: string, isUsed: boolean): string {
    const value = this.#variables(name);
    if (isUsed) (value === undefined ? this.unset : this.used).add(name);
    return value ?? '';
  }

  #broken(): string {
    this.problem ??= msg('compose.interpolation');
    return '';
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

import { msg, type Message } from '../../message.ts';
import type { Place } from '../../model/setup.ts';
import { interpolated, type Variables } from './interpolate.ts';
import type { At, Scalar, Tree } from './tree.ts';

export function placed({ source, line }: At, reason: Message): Message {
  return msg('compose.at', { file: source.shown, line, reason });
}

export function placeOf({ source, line }: At): Place {
  return { file: source.file, line };
}

/** What to say of a service, collected while its values are read. */
export class Notes {
  readonly warnings: Message[] = [];
  refusal: Message | null = null;
  readonly #variables: Variables;
  readonly #said = new Set<string>();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  warn(at: At, reason: Message): void {
    const warning = placed(at, reason);
    if (this.#said.has(warning.text)) return;
    this.#said.add(warning.text);
    this.warnings.push(warning);
  }

  /** The first one counts. */
  refuse(at: At, reason: Message): void {
    this.refusal ??= placed(at, reason);
  }

  /** With its variables in place; says which have no value. Undefined: not a single value. */
  text(tree: Tree | undefined): string | undefined {
    if (tree?.kind !== 'scalar' || tree.text === null) return undefined;
    const { text, unset, problem } = interpolated(tree.text, this.#variablesOf(tree));
    if (problem !== undefined) {
      this.refuse(tree.at, problem);
      return undefined;
    }
    if (unset.length > 0) this.warn(tree.at, msg('compose.unset', { names: unset.join(', ') }));
    return text;
  }

  /** Names of the variables whose values are in its text. */
  variablesIn(tree: Scalar): string[] {
    return interpolated(tree.text ?? '', this.#variablesOf(tree)).used;
  }

  #variablesOf({ at }: Scalar): Variables {
    return at.source.variables ?? this.#variables;
  }

  /** Without a word about variables. */
  quietText(tree: Tree | undefined): string | undefined {
    if (tree?.kind !== 'scalar' || tree.text === null) return undefined;
    return interpolated(tree.text, this.#variablesOf(tree)).text;
  }
}

export function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(?:true|yes|on|y)$/i.test(text);
}

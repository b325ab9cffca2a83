import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  visit,
  type Alias,
  type Document,
  type LineCounter,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { msg, type Message, type MessageCode } from '../../message.ts';
import { readYaml } from '../../preset/preset-yaml.ts';
import { COMPOSE_LIMITS } from '../compose/project.ts';

export interface ComposeText {
  file: string;
  text: string;
}

/** Why a change isn't made; the border of this folder catches it. */
export class Refusal extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(reason.text);
    this.reason = reason;
  }
}

type RefusalCode = MessageCode extends infer C
  ? C extends `setupPatch.refused.${infer R}`
    ? R
    : never
  : never;

export function refused(code: RefusalCode, params: Message['params'] = {}): Refusal {
  return new Refusal(msg(`setupPatch.refused.${code}`, params));
}

/** A field as the text has it, and what lies on the way to it. */
export interface Found {
  map: YAMLMap;
  pair: Pair;
  /** Behind its alias. */
  value: unknown;
  passed: Alias[];
  chain: unknown[];
}

/** A Compose file with the places of its nodes. Throws a Refusal if it isn't a YAML mapping. */
export class YamlFile {
  readonly file: string;
  /** As messages name it. */
  readonly #shown: string;
  /** Without the byte order mark. */
  readonly text: string;
  /** The byte order mark, or nothing. */
  readonly mark: string;
  readonly document: Document;
  readonly contents: YAMLMap;
  readonly #lines: LineCounter;
  /** The node behind each alias; Alias.resolve would walk through the whole document each time. */
  readonly #targets = new Map<Alias, unknown>();

  constructor({ file, text: whole }: ComposeText, shown: string) {
    const text = whole.replace(/^\uFEFF/, '');
    const { document, lines, problems } = readYaml(text, COMPOSE_LIMITS);
    this.file = file;
    this.#shown = shown;
    this.text = text;
    this.mark = whole.slice(0, whole.length - text.length);
    this.document = document;
    this.#lines = lines;
    const [first] = problems;
    if (first !== undefined) throw refused('unreadable', { place: `${shown}:${first.line}` });
    if (!isMap(document.contents)) throw refused('noService', { place: `${shown}:1` });
    this.contents = document.contents;
    const anchors = new Map<string, unknown>();
    visit(document, {
      Alias: (_, alias) => {
        this.#targets.set(alias, anchors.get(alias.source));
      },
      Value: (_, node) => {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  placeOf(at: unknown): string {
    return `${this.#shown}:${this.#lines.linePos(typeof at === 'number' ? at : startOf(at)).line}`;
  }

  refusal(code: RefusalCode, at: unknown, params: Message['params'] = {}): Refusal {
    return refused(code, { place: this.placeOf(at), ...params });
  }

  /** Through aliases and merge keys. */
  find(keys: readonly string[], from: YAMLMap = this.contents): Found | undefined {
    const passed: Alias[] = [];
    const chain: unknown[] = [];
    let found: Found | undefined;
    let value: unknown = from;
    for (const key of keys) {
      const field = this.#field(value, key, passed, chain);
      if (field === undefined) return undefined;
      value = this.#behind(field.pair.value, passed);
      found = { ...field, value, passed, chain };
    }
    chain.push(value);
    return found;
  }

  #field(
    value: unknown,
    key: string,
    passed: Alias[],
    chain: unknown[],
  ): Pick<Found, 'map' | 'pair'> | undefined {
    // A mapping may merge itself.
    if (!isMap(value) || chain.includes(value)) return undefined;
    const own = value.items.find((pair) => keyOf(pair) === key);
    chain.push(value);
    if (own !== undefined) return { map: value, pair: own };
    for (const merge of value.items.filter((pair) => keyOf(pair) === '<<')) {
      const sources = isCollection(merge.value) && !isMap(merge.value) ? merge.value.items : [merge.value];
      for (const source of sources) {
        const way = [...passed];
        const steps = [...chain];
        const field = this.#field(this.#behind(source, way), key, way, steps);
        if (field === undefined) continue;
        passed.push(...way.slice(passed.length));
        chain.push(...steps.slice(chain.length));
        return field;
      }
    }
    return undefined;
  }

  #behind(value: unknown, passed: Alias[]): unknown {
    if (isAlias(value)) passed.push(value);
    return this.behind(value);
  }

  behind(value: unknown): unknown {
    return isAlias(value) ? this.#targets.get(value) : value;
  }

  /** Throws if a change of what was found would change more than the service. */
  claim({ passed, chain }: Pick<Found, 'passed' | 'chain'>): void {
    for (const alias of passed) {
      const target = this.behind(alias);
      if (!this.#isExtension(startOf(target))) throw this.refusal('shared', target, { name: alias.source });
    }
    for (const node of chain) {
      if (!isCollection(node) && !isScalar(node)) continue;
      const { anchor, tag } = node;
      if (tag !== undefined && !tag.startsWith('tag:yaml.org,'))
        throw this.refusal('tag', node, { name: tag });
      if (anchor === undefined) continue;
      const other = [...this.#targets.keys()].find(
        (alias) => alias.source === anchor && !passed.includes(alias),
      );
      if (other !== undefined) throw this.refusal('shared', other, { name: anchor });
    }
  }

  /** Extension fields (`x-…`) only matter where they are used. */
  #isExtension(offset: number): boolean {
    return this.contents.items.some(
      (pair) =>
        keyOf(pair)?.startsWith('x-') === true &&
        startOf(pair.key) <= offset &&
        offset <= endOfPair(pair, this.text),
    );
  }
}

export function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

export function startOf(node: unknown): number {
  return rangeOf(node)?.[0] ?? 0;
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return isCollection(node) || isScalar(node) || isAlias(node) ? (node.range ?? undefined) : undefined;
}

/** Behind its last character that isn't white space or a comment. */
export function endOf(node: unknown, text: string): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (last !== undefined) return isPair(last) ? endOfPair(last, text) : endOf(last, text);
  }
  const [start, end] = rangeOf(node) ?? [0, 0];
  return start + text.slice(start, end).trimEnd().length;
}

export function endOfPair({ key, value }: Pair, text: string): number {
  return isEmpty(value, text) ? text.indexOf(':', endOf(key, text)) + 1 : endOf(value, text);
}

/** Nothing is written there. */
export function isEmpty(value: unknown, text: string): boolean {
  const [start, end] = rangeOf(value) ?? [0, 0];
  return !isCollection(value) && text.slice(start, end).trim() === '';
}

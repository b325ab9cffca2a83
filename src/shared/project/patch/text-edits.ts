import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  visit,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ProjectFile } from '../project.ts';
import { endOf, endOfPair, refusedIn, startOf } from './service-text.ts';

/** Replaces a part of a text. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Null: nothing behind its colon. */
type NewValue = string | string[] | null | Readonly<Record<string, null>>;

/**
 * Replaces parts of a YAML text. Every other line stays. `result` makes each change to the parsed document, too,
 * and refuses where the two differ.
 */
export class TextEdits {
  readonly file: ProjectFile;
  readonly #edits: Edit[] = [];
  readonly #mutations: (() => () => void)[] = [];
  readonly #dropped = new Map<YAMLMap | YAMLSeq, Set<unknown>>();

  constructor(file: ProjectFile) {
    this.file = file;
  }

  include(other: TextEdits): void {
    if (other.file !== this.file) throw refusedIn(other.file, 0, 'severalFiles');
    this.#edits.push(...other.#edits);
    this.#mutations.push(...other.#mutations);
    for (const [collection, items] of other.#dropped) {
      this.#dropped.set(collection, new Set([...(this.#dropped.get(collection) ?? []), ...items]));
    }
  }

  get isEmpty(): boolean {
    return this.#edits.length + this.#dropped.size === 0;
  }

  result(): { text: string; edits: Edit[] } {
    for (const [collection, items] of this.#dropped) this.#dropFromFlow(collection, items);
    this.#dropped.clear();
    const edits = [...this.#edits].sort((a, b) => a.start - b.start || a.end - b.end);
    const [first] = edits;
    for (const [index, { start }] of edits.entries()) {
      if ((edits[index - 1]?.end ?? 0) > start) throw refusedIn(this.file, start, 'form');
    }
    const text = edited(this.file.text, edits);
    const again = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
    if (again.errors.length > 0 || JSON.stringify(meaningOf(again.contents)) !== this.#meant()) {
      throw refusedIn(this.file, first?.start ?? 0, 'form');
    }
    return { text, edits };
  }

  #meant(): string {
    const undo = this.#mutations.map((mutate) => mutate());
    try {
      return JSON.stringify(meaningOf(this.file.document.contents));
    } finally {
      for (const one of undo.reverse()) one();
    }
  }

  #mutate<T extends object, K extends keyof T>(target: T, key: K, change: (before: T[K]) => T[K]): void {
    this.#mutations.push(() => {
      const before = target[key];
      target[key] = change(before);
      return () => {
        target[key] = before;
      };
    });
  }

  /** Throws if other parts share the value by its anchor. */
  setScalar(node: Scalar, value: string): void {
    const { anchor: name } = node;
    if (name !== undefined && [...this.file.aliases.keys()].some(({ source }) => source === name)) {
      throw refusedIn(this.file, node, 'shared', { name });
    }
    this.#replace(startOf(node), endOf(node, this.#text), scalarText(value, node.type));
    this.#mutate(node, 'value', () => value);
  }

  /** Keeps its style; `value` is what it then means. */
  editScalar(node: Scalar, edits: readonly Edit[], value: string): void {
    this.#edits.push(...edits);
    this.#mutate(node, 'value', () => value);
  }

  /** Behind the colon is nothing, `null`, or `~`. */
  fill(map: YAMLMap, pair: Pair, value: NewValue): void {
    const colon = this.#text.indexOf(':', endOf(pair.key, this.#text)) + 1;
    const end = endOfPair(pair, this.#text);
    if (map.flow === true || typeof value === 'string') {
      this.#replace(colon, end, ` ${inFlow(value)}`);
    } else {
      if (end > colon) this.#replace(colon, end, '');
      this.#insertLines(this.#lineEnd(end), this.#nested(value, this.#column(map)));
    }
    this.#mutate(pair, 'value', () => this.file.document.createNode(meaning(value, map.flow === true)));
  }

  addPair(map: YAMLMap, key: string, value: NewValue, { spaced = false } = {}): void {
    if (map.flow === true) this.#insertInFlow(map, `${scalarText(key)}: ${inFlow(value)}`);
    else {
      const column = this.#column(map);
      const own = ' '.repeat(column) + scalarText(key);
      const lines =
        typeof value === 'string'
          ? [`${own}: ${scalarText(value)}`]
          : [`${own}:`, ...this.#nested(value, column)];
      const last = map.items.at(-1);
      const end = last && this.#behindLines(startOf(last.key), endOfPair(last, this.#text));
      this.#insertLines(end ?? this.#lineEnd(startOf(map)), spaced ? ['', ...lines] : lines);
    }
    const pair = this.file.document.createPair(key, meaning(value, map.flow === true));
    this.#mutate(map, 'items', (items) => [...items, pair]);
  }

  addItems(seq: YAMLSeq, values: readonly string[]): void {
    const last = seq.items.at(-1);
    if (seq.flow === true) {
      this.#insertInFlow(seq, values.map((value) => scalarText(value)).join(', '));
    } else if (last !== undefined) {
      const indent = ' '.repeat(this.#dashOf(last) - this.#lineStart(this.#dashOf(last)));
      this.#insertLines(
        this.#behindLines(this.#dashOf(last), endOf(last, this.#text)),
        values.map((value) => `${indent}- ${scalarText(value)}`),
      );
    }
    const nodes = values.map((value) => this.file.document.createNode(value));
    this.#mutate(seq, 'items', (items) => [...items, ...nodes]);
  }

  removeItem(seq: YAMLSeq, item: unknown): void {
    if (seq.flow === true) this.#drop(seq, item);
    else this.#removeLines(this.#dashOf(item), endOf(item, this.#text));
    this.#mutate(seq, 'items', (items) => items.filter((one) => one !== item));
  }

  removePair(map: YAMLMap, pair: Pair): void {
    const start = startOf(pair.key);
    // A list item's first field is on the line of its dash.
    const isBehindOther = this.#text.slice(this.#lineStart(start), start).trim() !== '';
    if (map.flow === true || isBehindOther) this.#drop(map, pair);
    else this.#removeLines(start, endOfPair(pair, this.#text));
    this.#mutate(map, 'items', (items) => items.filter((one) => one !== pair));
  }

  get #text(): string {
    return this.file.text;
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf('\n', offset - 1) + 1;
  }

  #lineEnd(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    return end < 0 ? this.#text.length : end + 1;
  }

  get #lineBreak(): string {
    return /\r?\n/.exec(this.#text)?.[0] ?? '\n';
  }

  /** At the begin of a line, or the end of the text. */
  #insertLines(at: number, lines: readonly string[]): void {
    const text = lines.join(this.#lineBreak);
    const hasBreak = at === 0 || this.#text[at - 1] === '\n';
    this.#replace(at, at, hasBreak ? text + this.#lineBreak : this.#lineBreak + text);
  }

  /** With comments below it that are indented further. */
  #behindLines(start: number, end: number): number {
    const column = start - this.#lineStart(start);
    const inner = new RegExp(`[ ]{${column + 1},}#[^\\n]*(?:\\n|$)`, 'y');
    let at = this.#lineEnd(end);
    for (inner.lastIndex = at; inner.test(this.#text); inner.lastIndex = at) at = inner.lastIndex;
    return at;
  }

  /** Its last comments go, too: they would become part of a text before them. */
  #removeLines(start: number, end: number): void {
    const from = this.#lineStart(start);
    const to = this.#behindLines(start, end);
    const isOpenEnd = to === this.#text.length && this.#text[to - 1] !== '\n';
    this.#replace(isOpenEnd ? this.#text.slice(0, from).replace(/\r?\n$/, '').length : from, to, '');
  }

  #insertInFlow(collection: YAMLMap | YAMLSeq, text: string): void {
    const last: unknown = collection.items.at(-1);
    const open = startOf(collection) + this.#text.slice(startOf(collection)).search(/[[{]/) + 1;
    if (last === undefined) this.#replace(open, open, text);
    else {
      const end = isPair(last) ? endOfPair(last, this.#text) : endOf(last, this.#text);
      this.#replace(end, end, `, ${text}`);
    }
  }

  #drop(collection: YAMLMap | YAMLSeq, item: unknown): void {
    const items = this.#dropped.get(collection) ?? new Set();
    this.#dropped.set(collection, items.add(item));
  }

  /** Neighbors go together, with one comma. */
  #dropFromFlow(collection: YAMLMap | YAMLSeq, dropped: ReadonlySet<unknown>): void {
    const items: unknown[] = collection.items;
    const start = (item: unknown): number => startOf(isPair(item) ? item.key : item);
    const end = (item: unknown): number =>
      isPair(item) ? endOfPair(item, this.#text) : endOf(item, this.#text);
    for (let from = 0, to = 0; from < items.length; from = to + 1) {
      for (to = from; dropped.has(items[to]); to++);
      if (to === from) continue;
      const [before, first, last, after] = [items[from - 1], items[from], items[to - 1], items[to]];
      if (after !== undefined) this.#replace(start(first), start(after), '');
      else this.#replace(before === undefined ? start(first) : end(before), end(last), '');
    }
  }

  #column(map: YAMLMap): number {
    const start = startOf(map.items[0]?.key);
    return start - this.#lineStart(start);
  }

  #dashOf(item: unknown): number {
    return this.#text.lastIndexOf('-', startOf(item) - 1);
  }

  #nested(value: NewValue, column: number): string[] {
    if (value === null || typeof value === 'string') return [];
    const { step, dash } = this.#style();
    return Array.isArray(value)
      ? value.map((item) => `${' '.repeat(column + dash)}- ${scalarText(item)}`)
      : Object.keys(value).map((key) => `${' '.repeat(column + step)}${scalarText(key)}:`);
  }

  /** Indents of mappings, and of dashes. */
  #style(): { step: number; dash: number } {
    let step: number | undefined;
    let dash: number | undefined;
    visit(this.file.document, {
      Pair: (_, { key, value }) => {
        if (!isCollection(value) || value.flow === true || value.items.length === 0) return;
        const column = startOf(key) - this.#lineStart(startOf(key));
        if (isMap(value)) step ??= this.#column(value) - column;
        if (!isSeq(value)) return;
        const at = this.#dashOf(value.items[0]);
        dash ??= at - this.#lineStart(at) - column;
      },
    });
    return { step: step ?? 2, dash: dash ?? step ?? 2 };
  }
}

export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (all, { start, end, text: own }) => all.slice(0, start) + own + all.slice(end),
    text,
  );
}

function meaningOf(node: unknown): unknown {
  if (isAlias(node)) return { alias: node.source };
  if (isPair(node)) return [meaningOf(node.key), meaningOf(node.value)];
  if (isMap(node)) return { map: node.items.map(meaningOf) };
  if (isSeq(node)) return { seq: node.items.map(meaningOf) };
  return isScalar(node) ? `${typeof node.value} ${String(node.value)}` : node;
}

function meaning(value: NewValue, isFlow: boolean): unknown {
  if (!isFlow) return value;
  if (value === null) return {};
  if (typeof value === 'string' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, {}]));
}

function inFlow(value: NewValue): string {
  if (value === null) return '{}';
  if (typeof value === 'string') return scalarText(value);
  const items = Array.isArray(value)
    ? value.map((item) => scalarText(item)).join(', ')
    : Object.keys(value)
        .map((key) => `${scalarText(key)}: {}`)
        .join(', ');
  return Array.isArray(value) ? `[${items}]` : `{${items}}`;
}

const PLAIN = /^(?:[A-Za-z./]|--?\w)[\w./:=+@%-]*(?:(?<!:) [\w./:=+@%-]+)*(?<!:)$/;

function scalarText(value: string, type?: Scalar['type']): string {
  if (type === Scalar.QUOTE_SINGLE) return `'${value.replaceAll("'", "''")}'`;
  if (type === Scalar.QUOTE_DOUBLE) return JSON.stringify(value);
  return PLAIN.test(value) ? value : JSON.stringify(value);
}

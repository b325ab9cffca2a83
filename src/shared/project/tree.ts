import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type LineCounter,
  type Pair,
  type Scalar as ScalarNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { msg, type Message } from '../message.ts';
import type { Place } from '../model/database.ts';
import { interpolated, type Variables } from './interpolate.ts';

export interface Source {
  /** Absolute. */
  file: string;
  shown: string;
  base: string;
  variables?: Variables;
}

export interface At {
  source: Source;
  line: number;
}

type Tag = 'reset' | 'override' | null;

export interface Scalar {
  kind: 'scalar';
  at: At;
  tag: Tag;
  size: number;
  /** With its variables; null: no value. */
  text: string | null;
  /** Null: derived from the text. */
  node: ScalarNode | null;
}

export interface List {
  kind: 'list';
  at: At;
  tag: Tag;
  size: number;
  items: readonly Tree[];
  node: YAMLSeq | null;
}

export interface Mapping {
  kind: 'map';
  at: At;
  tag: Tag;
  size: number;
  entries: ReadonlyMap<string, Tree>;
  node: YAMLMap | null;
  /** With the aliases that lead there. */
  merged: readonly { tree: Tree; aliases: unknown[] }[];
}

/** Values of aliases are shared. */
export type Tree = Scalar | List | Mapping;

interface TreeProblem {
  line: number;
  reason: Message;
}

/** With aliases written out; the largest public files have some thousands. */
const LARGEST = 100_000;
const DEEPEST = 100;

/** A terminal obeys them when a command with a name or a path is pasted. */
const CONTROL = /\p{Cc}/u;
/** Where a text may have several lines. */
const CONTROL_IN_LINES = /(?![\t\n\r])\p{Cc}/u;

/** Resolves aliases and merge keys (`<<`); a walk takes at most LARGEST steps. */
export function treeOf(
  document: Document,
  lines: LineCounter,
  source: Source,
): { tree: Tree; aliases: ReadonlyMap<Alias, Tree>; problems: TreeProblem[] } {
  const reader = new TreeReader(lines, source);
  const tree = reader.tree(document.contents, 1, 0);
  return { tree, aliases: reader.aliases, problems: reader.problems };
}

class TreeReader {
  readonly problems: TreeProblem[] = [];
  readonly aliases = new Map<Alias, Tree>();
  readonly #anchors = new Map<string, Tree>();
  readonly #lines: LineCounter;
  readonly #source: Source;

  constructor(lines: LineCounter, source: Source) {
    this.#lines = lines;
    this.#source = source;
  }

  tree(node: unknown, line: number, depth: number): Tree {
    if (depth > DEEPEST) return this.#refused(line, msg('yaml.tooDeep'));
    if (isAlias(node)) {
      const own = this.#lineOf(node, line);
      const known =
        this.#anchors.get(node.source) ?? this.#refused(own, msg('yaml.noAnchor', { name: node.source }));
      this.aliases.set(node, known);
      return known;
    }
    const tree = this.#treeOf(node, line, depth);
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, tree);
    }
    return tree;
  }

  #treeOf(node: unknown, line: number, depth: number): Tree {
    if (isSeq(node)) return this.#list(node, line, depth);
    if (isMap(node)) return this.#map(node, line, depth);
    const at = { source: this.#source, line: isScalar(node) ? this.#lineOf(node, line) : line };
    const text =
      isScalar(node) && node.value !== null ? (textOfScalar(node.value, node.source) ?? null) : null;
    return { kind: 'scalar', at, tag: tagOf(node), size: 1, text, node: isScalar(node) ? node : null };
  }

  #list(node: YAMLSeq, line: number, depth: number): List {
    const items = node.items.map((item) => this.tree(item, this.#lineOf(item, line), depth + 1));
    const list: List = {
      kind: 'list',
      at: this.#at(line),
      tag: tagOf(node),
      items,
      size: sizeOf(items),
      node,
    };
    return this.#checked(list, { ...list, items: [], size: 1 });
  }

  #map(node: YAMLMap, line: number, depth: number): Mapping {
    const entries = new Map<string, Tree>();
    const merged: { tree: Tree; aliases: unknown[] }[] = [];
    for (const { key, value } of node.items) {
      const own = this.#lineOf(key, line);
      const tree = this.tree(value, own, depth + 1);
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
        const written: unknown[] = tree.kind === 'list' ? (tree.node?.items ?? []) : [];
        if (tree.kind === 'list') {
          merged.push(...tree.items.map((one, index) => ({ tree: one, aliases: [value, written[index]] })));
        } else merged.push({ tree, aliases: [value] });
        continue;
      }
      const name = isScalar(key) ? textOfScalar(key.value, key.source) : undefined;
      if (name === undefined) this.problems.push({ line: own, reason: msg('compose.key') });
      else if (CONTROL.test(name)) this.problems.push({ line: own, reason: msg('compose.control') });
      else entries.set(name, tree);
    }
    // Own keys first, then the first merged map's.
    for (const { tree: one } of merged) {
      if (one.kind !== 'map') {
        this.problems.push({ line, reason: msg('compose.mergeKey') });
        continue;
      }
      for (const [name, tree] of one.entries) if (!entries.has(name)) entries.set(name, tree);
    }
    const size = sizeOf([...entries.values()]);
    const map: Mapping = { kind: 'map', at: this.#at(line), tag: tagOf(node), entries, size, node, merged };
    return this.#checked(map, { ...map, entries: new Map(), size: 1 });
  }

  #checked<T extends Tree>(tree: T, empty: T): T {
    if (tree.size <= LARGEST) return tree;
    this.problems.push({ line: tree.at.line, reason: msg('yaml.explodes', { count: LARGEST }) });
    return empty;
  }

  #refused(line: number, reason: Message): Scalar {
    this.problems.push({ line, reason });
    return { kind: 'scalar', at: this.#at(line), tag: null, size: 1, text: null, node: null };
  }

  #at(line: number): At {
    return { source: this.#source, line };
  }

  #lineOf(node: unknown, otherwise: number): number {
    const start =
      (isScalar(node) || isAlias(node) || isCollection(node)) && node.range ? node.range[0] : undefined;
    return start === undefined ? otherwise : this.#lines.linePos(start).line;
  }
}

function sizeOf(trees: readonly Tree[]): number {
  return trees.reduce((sum, { size }) => sum + size, 1);
}

/** A number as written. */
function textOfScalar(value: unknown, source: string | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return source ?? (typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined);
}

function tagOf(node: unknown): Tag {
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
  return node.tag === '!reset' ? 'reset' : node.tag === '!override' ? 'override' : null;
}

export function entryOf(tree: Tree | undefined, ...path: readonly string[]): Tree | undefined {
  let at = tree;
  for (const key of path) at = at?.kind === 'map' ? at.entries.get(key) : undefined;
  return at;
}

export function entriesOf(tree: Tree | undefined): [string, Tree][] {
  return tree?.kind === 'map' ? [...tree.entries] : [];
}

export function itemsOf(tree: Tree | undefined): readonly Tree[] {
  return tree?.kind === 'list' ? tree.items : [];
}

/** With the nodes on the way there through merge keys. */
export function writtenAt(
  tree: Mapping,
  key: string,
): { map: YAMLMap; pair: Pair; way: unknown[] } | undefined {
  const { node, entries, merged } = tree;
  const pair = node?.items.find((one) => isScalar(one.key) && String(one.key.value) === key);
  if (node !== null && pair !== undefined) return { map: node, pair, way: [] };
  for (const { tree: one, aliases } of entries.has(key) ? merged : []) {
    const found = one.kind === 'map' ? writtenAt(one, key) : undefined;
    if (found !== undefined) return { ...found, way: [...aliases, one.node, ...found.way] };
  }
  return undefined;
}

export function placed({ source, line }: At, reason: Message): Message {
  return msg('compose.at', { file: source.shown, line, reason });
}

export function placeOf({ source, line }: At): Place {
  return { file: source.file, line };
}

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

  /** Of a name, a path, or another word. Says which variables have no value. Undefined: not a single value. */
  text(tree: Tree | undefined): string | undefined {
    return this.#text(tree, CONTROL);
  }

  /** Of a command, which may have several lines. */
  lines(tree: Tree | undefined): string | undefined {
    return this.#text(tree, CONTROL_IN_LINES);
  }

  #text(tree: Tree | undefined, refused: RegExp): string | undefined {
    if (tree?.kind !== 'scalar' || tree.text === null) return undefined;
    const read = interpolated(tree.text, this.#variablesOf(tree));
    const { text, unset } = read;
    const problem = read.problem ?? (refused.test(text) ? msg('compose.control') : undefined);
    if (problem !== undefined) {
      this.refuse(tree.at, problem);
      return undefined;
    }
    if (unset.length > 0) this.warn(tree.at, msg('compose.unset', { names: unset.join(', ') }));
    return text;
  }

  variablesIn(tree: Scalar): string[] {
    return interpolated(tree.text ?? '', this.#variablesOf(tree)).used;
  }

  #variablesOf({ at }: Scalar): Variables {
    return at.source.variables ?? this.#variables;
  }

  quietText(tree: Tree | undefined): string | undefined {
    if (tree?.kind !== 'scalar' || tree.text === null) return undefined;
    return interpolated(tree.text, this.#variablesOf(tree)).text;
  }
}

export function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(?:true|yes|on|y)$/i.test(text);
}

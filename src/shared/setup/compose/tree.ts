import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type LineCounter,
  type Node,
  type Pair,
} from 'yaml';
import { msg, type Message } from '../../message.ts';
import type { Variables } from './interpolate.ts';

/** A text that a project is read from. */
export interface Source {
  /** Absolute. */
  file: string;
  /** As messages name it. */
  shown: string;
  /** Where its relative paths begin. */
  base: string;
  /** Of an included project; undefined: those of the project. */
  variables?: Variables;
}

export interface At {
  source: Source;
  line: number;
}

/** Tags of Compose for files that override others. */
type Tag = 'reset' | 'override' | null;

export interface Scalar {
  kind: 'scalar';
  at: At;
  tag: Tag;
  size: number;
  /** As written, with its variables; null: no value. */
  text: string | null;
}

export interface List {
  kind: 'list';
  at: At;
  tag: Tag;
  size: number;
  items: readonly Tree[];
}

export interface Mapping {
  kind: 'map';
  at: At;
  tag: Tag;
  size: number;
  entries: ReadonlyMap<string, Tree>;
}

/** A value of a Compose file with its line. Values of aliases are shared. */
export type Tree = Scalar | List | Mapping;

interface TreeProblem {
  line: number;
  reason: Message;
}

/** Values with aliases written out; the largest public Compose files have some thousands. */
const LARGEST = 100_000;
const DEEPEST = 100;

/** Resolves aliases and merge keys (`<<`); whatever walks the tree takes at most LARGEST steps. */
export function treeOf(
  document: Document,
  lines: LineCounter,
  source: Source,
): { tree: Tree; problems: TreeProblem[] } {
  const reader = new TreeReader(lines, source);
  const tree = reader.tree(document.contents, 1, 0);
  return { tree, problems: reader.problems };
}

class TreeReader {
  readonly problems: TreeProblem[] = [];
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
      const known = this.#anchors.get(node.source);
      return known ?? this.#refused(own, msg('yaml.noAnchor', { name: node.source }));
    }
    const made = this.#made(node, line, depth);
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, made);
    }
    return made;
  }

  #made(node: unknown, line: number, depth: number): Tree {
    if (isSeq(node)) return this.#list(node, line, depth);
    if (isMap(node)) return this.#map(node, line, depth);
    const at = { source: this.#source, line: isScalar(node) ? this.#lineOf(node, line) : line };
    const text =
      isScalar(node) && node.value !== null ? (textOfScalar(node.value, node.source) ?? null) : null;
    return { kind: 'scalar', at, tag: tagOf(node), size: 1, text };
  }

  #list(node: Node & { items: unknown[] }, line: number, depth: number): List {
    const items = node.items.map((item) => this.tree(item, this.#lineOf(item, line), depth + 1));
    const list = { kind: 'list' as const, at: this.#at(line), tag: tagOf(node), items, size: sizeOf(items) };
    return this.#checked(list, { ...list, items: [], size: 1 });
  }

  #map(node: Node & { items: Pair[] }, line: number, depth: number): Mapping {
    const entries = new Map<string, Tree>();
    const merged: Tree[] = [];
    for (const { key, value } of node.items) {
      const own = this.#lineOf(key, line);
      const tree = this.tree(value, own, depth + 1);
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
        merged.push(...(tree.kind === 'list' ? tree.items : [tree]));
        continue;
      }
      const name = isScalar(key) ? textOfScalar(key.value, key.source) : undefined;
      if (name === undefined) this.problems.push({ line: own, reason: msg('compose.key') });
      else entries.set(name, tree);
    }
    // A map's own keys come first, then those of the first map that is merged.
    for (const one of merged) {
      if (one.kind !== 'map') {
        this.problems.push({ line, reason: msg('compose.mergeKey') });
        continue;
      }
      for (const [name, tree] of one.entries) if (!entries.has(name)) entries.set(name, tree);
    }
    const size = sizeOf([...entries.values()]);
    const map = { kind: 'map' as const, at: this.#at(line), tag: tagOf(node), entries, size };
    return this.#checked(map, { ...map, entries: new Map(), size: 1 });
  }

  #checked<T extends Tree>(tree: T, empty: T): T {
    if (tree.size <= LARGEST) return tree;
    this.problems.push({ line: tree.at.line, reason: msg('yaml.explodes', { count: LARGEST }) });
    return empty;
  }

  #refused(line: number, reason: Message): Scalar {
    this.problems.push({ line, reason });
    return { kind: 'scalar', at: this.#at(line), tag: null, size: 1, text: null };
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

/** As written, where that was a number. */
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

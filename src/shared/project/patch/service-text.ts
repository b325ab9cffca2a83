import { isAlias, isCollection, isPair, isScalar, type Pair, type YAMLMap } from 'yaml';
import { msg, type Message, type MessageCode } from '../../message.ts';
import type { Project, ProjectFile, ProjectService } from '../project.ts';
import { STACKS, stackOf } from '../stacks.ts';
import { entriesOf, entryOf, writtenAt, type At, type Tree } from '../tree.ts';

/** `changedText` catches it. */
export class Refusal extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(reason.text);
    this.reason = reason;
  }
}

type RefusalCode = MessageCode extends infer C
  ? C extends `databasePatch.refused.${infer R}`
    ? R
    : never
  : never;

export function refused(code: RefusalCode, params: Message['params'] = {}): Refusal {
  return new Refusal(msg(`databasePatch.refused.${code}`, params));
}

export function refusedAt({ source, line }: At, code: RefusalCode, params: Message['params'] = {}): Refusal {
  return refused(code, { place: `${source.shown}:${line}`, ...params });
}

/** `at`: a node, or an offset. */
export function refusedIn(
  { source, lines }: ProjectFile,
  at: unknown,
  code: RefusalCode,
  params: Message['params'] = {},
): Refusal {
  const { line } = lines.linePos(typeof at === 'number' ? at : startOf(at));
  return refusedAt({ source, line }, code, params);
}

export interface Found {
  file: ProjectFile;
  map: YAMLMap;
  pair: Pair;
  value: Tree;
  way: unknown[];
}

/** Through aliases and merge keys. */
export function find(file: ProjectFile, keys: readonly string[], from: Tree = file.tree): Found | undefined {
  const way: unknown[] = [];
  let found: Omit<Found, 'way'> | undefined;
  let value = from;
  for (const key of keys) {
    const next = entryOf(value, key);
    const written = value.kind === 'map' ? writtenAt(value, key) : undefined;
    if (next === undefined || written === undefined) return undefined;
    const { map, pair } = written;
    way.push(value.node, ...written.way, pair.value);
    value = next;
    found = { file, map, pair, value };
  }
  return found === undefined ? undefined : { ...found, way: [...way, value.node] };
}

/** Throws if a change of what was found would change more than the service. */
export function claim({ file, way }: Pick<Found, 'file' | 'way'>): void {
  for (const node of way) {
    if (isAlias(node)) {
      const target = file.aliases.get(node)?.node;
      if (!isInExtension(file, target)) throw refusedIn(file, target, 'shared', { name: node.source });
    }
    if (!isCollection(node) && !isScalar(node)) continue;
    const { anchor, tag } = node;
    if (tag !== undefined && !tag.startsWith('tag:yaml.org,')) {
      throw refusedIn(file, node, 'tag', { name: tag });
    }
    if (anchor === undefined) continue;
    const other = [...file.aliases.keys()].find((alias) => alias.source === anchor && !way.includes(alias));
    if (other !== undefined) throw refusedIn(file, other, 'shared', { name: anchor });
  }
}

/** Extension fields (`x-…`) only matter where they are used. */
function isInExtension({ tree }: ProjectFile, node: unknown): boolean {
  const field = tree.node?.items.filter(({ key }) => startOf(key) <= startOf(node)).at(-1);
  return field !== undefined && keyOf(field)?.startsWith('x-') === true;
}

export class ServiceText {
  readonly name: string;
  readonly project: Project;
  readonly #base: ProjectService['base'];

  constructor(project: Project, name: string) {
    this.project = project;
    this.name = name;
    this.#base = project.services.get(name)?.base;
  }

  /** By file. */
  found(field: readonly string[]): Found[] {
    return this.project.files.flatMap((file) => find(file, ['services', this.name, ...field]) ?? []);
  }

  /** Where the service gets a new field: in this file, or in the first that has the service. */
  home(file = this.found([])[0]?.file): { file: ProjectFile; map: YAMLMap } {
    const found = file && find(file, ['services', this.name]);
    if (found === undefined) {
      const { source } = this.project.files[0] ?? {};
      const stack = stackOf(source?.file ?? '');
      if (stack !== undefined) throw refused('stack', { stack: STACKS[stack].name });
      throw refused('noService', { place: `${source?.shown ?? ''}:1` });
    }
    if (found.value.kind !== 'map' || found.value.node === null) throw refusedAt(found.value.at, 'form');
    claim(found);
    return { file: found.file, map: found.value.node };
  }

  /** Throws if the service takes one of these fields from another, where a change of the service doesn't reach it. */
  refuseInherited(fields: readonly (readonly string[])[]): void {
    for (const field of fields) {
      const { service, name = '' } = this.#base ?? {};
      const found = entryOf(service, ...field);
      if (found !== undefined) throw refusedAt(found.at, 'extends', { name });
    }
  }

  /** Throws unless all of it is in one file, which a diff can change. */
  inOneFile(found: readonly Found[]): ProjectFile | undefined {
    const [first, ...others] = found;
    const other = others.find(({ file }) => file !== first?.file);
    if (other !== undefined) throw refusedAt(other.value.at, 'severalFiles');
    return first?.file;
  }

  /** The files' other services. */
  others(): { file: ProjectFile; name: string; service: Tree }[] {
    return this.project.files.flatMap((file) =>
      entriesOf(entryOf(file.tree, 'services'))
        .filter(([name]) => name !== this.name)
        .map(([name, service]) => ({ file, name, service })),
    );
  }
}

/** Each text in a value: alone, of a list, or of a mapping with its keys. */
export function words(tree: Tree | undefined): { text: string; at: At }[] {
  switch (tree?.kind) {
    case 'list':
      return tree.items.flatMap(words);
    case 'map':
      return [...tree.entries].flatMap(([text, value]) => [{ text, at: value.at }, ...words(value)]);
    default:
      return tree === undefined || tree.text === null ? [] : [{ text: tree.text, at: tree.at }];
  }
}

export function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

export function textOf(node: unknown): string | undefined {
  return isScalar(node) && node.value !== null ? String(node.value) : undefined;
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

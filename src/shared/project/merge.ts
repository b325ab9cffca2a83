import type { List, Mapping, Scalar, Tree } from './tree.ts';

/** Others are appended. Source: Docker documentation, "Merge Compose files". */
const REPLACED = new Set(['command', 'entrypoint', 'test']);

export function mergedTree(base: Tree | undefined, over: Tree | undefined, key: string): Tree | undefined {
  if (over?.tag === 'reset') return undefined;
  if (base === undefined || over?.tag === 'override') return over;
  if (over === undefined || isEmpty(over)) return base;
  if (base.kind === 'map' && over.kind === 'map') return mergedMap(base, over);
  if (base.kind === 'list' && over.kind === 'list' && !REPLACED.has(key)) {
    const items = [...base.items, ...over.items];
    return { ...over, items, size: base.size + over.size };
  }
  return over;
}

function isEmpty(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.text === null;
}

function mergedMap(base: Mapping, over: Mapping): Mapping {
  const entries = new Map(base.entries);
  for (const [key, value] of over.entries) {
    const merged = mergedTree(base.entries.get(key), value, key);
    if (merged === undefined) entries.delete(key);
    else entries.set(key, merged);
  }
  return { ...over, at: base.at, entries, size: base.size + over.size };
}

/** `["NAME=value"]`, `["NAME"]` */
const PAIRS = ['environment', 'labels'];
/** `[name]` */
const NAMES = ['networks', 'depends_on'];
/** `name` */
const SINGLE = ['env_file', 'tmpfs', 'profiles'];

const DERIVED = { node: null, merged: [] };

export function normalService(service: Mapping): Mapping {
  const entries = new Map([...service.entries].map(([key, value]) => [key, normal(key, value)]));
  return { ...service, entries };
}

function normal(key: string, value: Tree): Tree {
  if (PAIRS.includes(key) && value.kind === 'list') return mapOf(value, pairOf);
  if (NAMES.includes(key) && value.kind === 'list')
    return mapOf(value, (item) => [item.text ?? '', empty(item)]);
  if (SINGLE.includes(key) && value.kind === 'scalar' && value.text !== null) return listOf(value);
  if (key === 'build' && value.kind === 'scalar' && value.text !== null) {
    return { ...value, ...DERIVED, kind: 'map', entries: new Map([['context', value]]), size: 2 };
  }
  if (key === 'build' && value.kind === 'map') {
    const args = value.entries.get('args');
    if (args?.kind === 'list')
      return { ...value, entries: new Map(value.entries).set('args', mapOf(args, pairOf)) };
  }
  return value;
}

function pairOf(item: Scalar): [string, Tree] {
  const text = item.text ?? '';
  const at = text.indexOf('=');
  return at === -1 ? [text, empty(item)] : [text.slice(0, at), { ...item, text: text.slice(at + 1) }];
}

function empty(item: Scalar): Scalar {
  return { ...item, text: null };
}

function mapOf(list: List, entry: (item: Scalar) => [string, Tree]): Mapping {
  const items = list.items.filter((item): item is Scalar => item.kind === 'scalar');
  return { ...list, ...DERIVED, kind: 'map', entries: new Map(items.map(entry)) };
}

function listOf(value: Scalar): List {
  return { ...value, kind: 'list', size: 2, items: [{ ...value, tag: null }], node: null };
}

import { isCollection, isMap, stringify, type Document } from 'yaml';
import { readYaml } from '../../shared/preset/preset-yaml.ts';

const scalar = (value: string): string => stringify(value, { lineWidth: 0 }).trimEnd();

/** The two scenarios run on every engine within 15 minutes. */
export function newPresetText({ id, name, question }: Record<'id' | 'name' | 'question', string>): string {
  return `# yaml-language-server: $schema=preset.schema.json
whalemark: 1
id: ${scalar(id)}
name: ${scalar(name)}
question: ${scalar(question)}
server:
  image: mysql:8.4
  settings:
    bufferPool: 256
    redoLogMiB: 256
    flushLogAtTrxCommit: 1
    binlog: false
workload:
  kind: oltp_read_write
  tables: 4
  tableSize: 25000
  distribution: uniform
connections: 8
loadGenerator: builtin
grid:
  storages: [ named-volume, bind-mount ]
  paths: [ published-port ]
baseline: named-volume.published-port
schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 20, sliceSeconds: 1 }
`;
}

export function idFromName(name: string, fallback: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return id === '' ? fallback : id;
}

export function freeId(id: string, taken: readonly string[]): string {
  for (let count = 2, free = id; ; count++) {
    if (!taken.includes(free)) return free;
    free = `${id}-${count}`;
  }
}

export interface Edit {
  path: readonly (string | number)[];
  value: unknown;
}

/** Comments, order, and other fields stay. An unchangeable text is returned as it is. */
export function editedText(text: string, edits: readonly Edit[]): string {
  const { document, problems } = readYaml(text);
  if (problems.length > 0 || (document.contents !== null && !isMapping(document.contents))) return text;
  for (const { path, value } of edits) {
    if (value === undefined) remove(document, path);
    else put(document, path, value);
  }
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    // An alias may have lost its anchor.
    return text;
  }
}

function put(document: Document, path: Edit['path'], value: unknown): void {
  // An empty field (`server:`) or a list can't hold a key.
  for (let depth = 1; depth < path.length; depth++) {
    const place = path.slice(0, depth);
    if (document.hasIn(place) && !holds(document.getIn(place, true), path[depth])) {
      document.setIn(place, document.createNode({}));
    }
  }
  const isCompound = typeof value === 'object' && value !== null;
  document.setIn(path, isCompound ? document.createNode(value, { flow: true }) : value);
}

function holds(node: unknown, key: string | number | undefined): boolean {
  return typeof key === 'number' ? isCollection(node) : isMapping(node);
}

/** A YAML set looks like a mapping but can't hold values. */
const isMapping = (node: unknown): boolean => isMap(node) && node.tag !== 'tag:yaml.org,2002:set';

function remove(document: Document, path: Edit['path']): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const holder = path.slice(0, -1);
  if (holder.length === 0) return;
  const node: unknown = document.getIn(holder, true);
  if (isCollection(node) && node.items.length === 0) remove(document, holder);
}

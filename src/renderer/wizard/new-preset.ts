import { stringify } from 'yaml';

/** What people read of a preset. */
export interface PresetNames {
  id: string;
  name: string;
  question: string;
}

const scalar = (value: string): string => stringify(value, { lineWidth: 0 }).trimEnd();

/** What the wizard begins with: two scenarios that run on every engine, a quarter of an hour or less. */
export function newPresetText({ id, name, question }: PresetNames): string {
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
driver: node
grid:
  storages: [ named-volume, bind-mount ]
  paths: [ published-port ]
baseline: named-volume.published-port
schedule: { rounds: 5, warmupSeconds: 2, durationSeconds: 4 }
`;
}

/** An id made of a name: "My disk, again" → "my-disk-again"; `fallback` where nothing of it is left. */
export function idFromName(name: string, fallback: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return id === '' ? fallback : id;
}

/** The id, or the first of `id-2`, `id-3`, … that is not taken. */
export function freeId(id: string, taken: readonly string[]): string {
  for (let count = 2, free = id; ; count++) {
    if (!taken.includes(free)) return free;
    free = `${id}-${count}`;
  }
}

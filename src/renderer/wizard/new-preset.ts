import { stringify } from 'yaml';

export interface PresetNames {
  id: string;
  name: string;
  question: string;
}

const scalar = (value: string): string => stringify(value, { lineWidth: 0 }).trimEnd();

/** The wizard's first draft: two scenarios that run on every engine within 15 minutes. */
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

/** "My disk, again" → "my-disk-again"; `fallback` if nothing is left. */
export function idFromName(name: string, fallback: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return id === '' ? fallback : id;
}

/** The id, or the first free one of `id-2`, `id-3`, … */
export function freeId(id: string, taken: readonly string[]): string {
  for (let count = 2, free = id; ; count++) {
    if (!taken.includes(free)) return free;
    free = `${id}-${count}`;
  }
}

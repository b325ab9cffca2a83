import { isMap, isScalar, isSeq, type Document, type Pair } from 'yaml';
import type { Place } from '../../shared/model/database.ts';
import { readYaml, startOf } from '../../shared/preset/preset-yaml.ts';

interface WrittenFile {
  path: string;
  text: string;
}

/** The last file's line of a key or item, only for display. */
export function locator(files: readonly WrittenFile[]) {
  const parsed = files.map(({ path, text }) => ({ path, ...readYaml(text) }));
  return (service: string, key?: string, text?: string): Place | null => {
    for (const { path, lines, document } of [...parsed].reverse()) {
      const offset = offsetOf(document, service, key, text);
      if (offset !== undefined) return { file: path, line: lines.linePos(offset).line };
    }
    return null;
  };
}

function offsetOf(document: Document, service: string, key?: string, text?: string): number | undefined {
  const jobs = pairOf(document.contents, 'jobs')?.value;
  const above = [document.contents, ...(isMap(jobs) ? jobs.items.map(({ value }) => value) : [])];
  const [own] = above.flatMap((map) => pairOf(pairOf(map, 'services')?.value, service) ?? []);
  if (own === undefined || key === undefined) return startOf(own?.key);
  const pair = pairOf(own.value, key);
  const items: unknown[] = isSeq(pair?.value) ? pair.value.items : [];
  const item = text === undefined ? undefined : items.find((one) => JSON.stringify(one)?.includes(text));
  return startOf(item ?? pair?.key);
}

function pairOf(map: unknown, key: string): Pair | undefined {
  return isMap(map) ? map.items.find((pair) => isScalar(pair.key) && pair.key.value === key) : undefined;
}

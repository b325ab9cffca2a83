import { isMap } from 'yaml';
import type { ComposeFiles } from './compose-files.ts';
import { TextEdits } from './text-edits.ts';
import { refused, type Found } from './yaml-file.ts';

/** Compose Specification, service: what limits CPU and memory, and what is only valid with such a limit. */
const FIELDS = [
  ...['cpus', 'cpu_count', 'cpu_percent', 'cpu_period', 'cpu_quota', 'mem_limit', 'memswap_limit'].map(
    (field) => [field],
  ),
  ...['cpus', 'memory'].map((field) => ['deploy', 'resources', 'limits', field]),
];

export function withoutLimits(compose: ComposeFiles): TextEdits {
  compose.refuseInherited(FIELDS);
  const found = FIELDS.flatMap((field) => compose.found(field).map((one) => ({ ...one, field })));
  const file = compose.inOneFile(found);
  if (file === undefined) throw refused('already');
  const edits = new TextEdits(file, compose.service);
  const removed: { field: readonly string[]; found: Found }[] = [];
  for (const { field, ...one } of found) {
    file.claim(one);
    removed.push({ field, found: one });
  }
  // A mapping that would be left empty goes as a whole.
  for (let depth = 4; depth > 1; depth--) {
    const [first] = removed.filter(({ field }) => field.length === depth);
    const parent = first?.field.slice(0, -1);
    const holder = parent && file.find(['services', compose.service, ...parent]);
    if (parent === undefined || holder === undefined || !isMap(holder.value)) continue;
    if (holder.value.items.some((pair) => !removed.some((one) => one.found.pair === pair))) continue;
    file.claim(holder);
    const others = removed.filter(({ field }) => field.length < depth);
    removed.splice(0, removed.length, ...others, { field: parent, found: holder });
  }
  for (const { found: one } of removed) edits.removePair(one.map, one.pair);
  return edits;
}

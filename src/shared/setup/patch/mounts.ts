import { isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { ComposeFiles, FoundIn } from './compose-files.ts';
import { textOf } from './text-edits.ts';

/** An entry of `volumes` or `tmpfs` of a service. */
export interface Mount {
  found: FoundIn;
  /** Null: the field has it alone, not in a list. */
  list: YAMLSeq | null;
  item: unknown;
  /** Of the long syntax; null: the short one. */
  long: YAMLMap | null;
  source: string | null;
  /** In the container; null: a variable has it. */
  target: string | null;
}

/** By file, in its order. */
export function mountsOf(compose: ComposeFiles, field: 'volumes' | 'tmpfs'): Mount[] {
  return compose.found([field]).flatMap((found) => mountsIn(found, field));
}

/** Of `volumes` or `tmpfs` of any service. */
export function mountsIn(found: FoundIn, field: 'volumes' | 'tmpfs'): Mount[] {
  const { value, file } = found;
  const list = isSeq(value) ? value : null;
  const items: unknown[] = list === null ? [value] : list.items;
  return items.flatMap((written): Mount[] => {
    const item = file.behind(written);
    const common = { found, list, item: written };
    if (isMap(item)) {
      const [source, target] = ['source', 'target'].map((key) => textOf(item.get(key, true)));
      if (target === undefined) return [];
      return [{ ...common, long: item, source: source ?? null, target: known(target) }];
    }
    const text = textOf(item);
    if (text === undefined) return [];
    const [path = ''] = text.split(':', 1);
    const short = field === 'tmpfs' ? { source: null, target: known(path) } : shortMount(text);
    return [{ ...common, long: null, ...short }];
  });
}

/** `[SOURCE:]TARGET[:MODE]`; colons of variables and of Windows drives separate nothing. */
export function shortMount(text: string): Pick<Mount, 'source' | 'target'> {
  // Of a default within a default, too.
  const masked = masking(masking(text)).replace(/^[A-Za-z]:(?=[\\/])/, (drive) => '_'.repeat(drive.length));
  const first = masked.indexOf(':');
  if (first < 0) return { source: null, target: known(text) };
  const rest = masked.indexOf(':', first + 1);
  return { source: text.slice(0, first), target: known(text.slice(first + 1, rest < 0 ? undefined : rest)) };
}

function masking(text: string): string {
  return text.replace(/\$\{[^{}]*\}/g, (variable) => '$'.padEnd(variable.length, '_'));
}

function known(target: string): string | null {
  return target.includes('$') ? null : normal(target);
}

export function normal(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/** A folder, not the name of a volume. Compose Specification, "volumes", short syntax. */
export function isFolder(source: string): boolean {
  return /^(?:[./~]|[A-Za-z]:[\\/]|\\\\)/.test(source);
}

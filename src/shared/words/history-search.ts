import type { Translate } from './i18n.ts';
import { machineLine } from './provenance.ts';
import type { HistoryEntry } from '../model/history-entry.ts';
import { runHeadlineText } from './wording.ts';

/** What the user calls it, else the name that it came with. */
export function entryName({ name, annotations }: HistoryEntry): string {
  return annotations.title ?? name;
}

/** All tags that are in use, in the alphabet's order. */
export function tagsOf(entries: readonly HistoryEntry[], language: string): string[] {
  const tags = new Set(entries.flatMap(({ annotations }) => annotations.tags));
  return [...tags].sort((a, b) => a.localeCompare(b, language));
}

/**
 * The entries in which every word of a search is found – in name, verdict, tags, note, runtime or server –, and that
 * have the tag. Upper and lower case are the same. Without words and tag all.
 */
export function searched<E extends HistoryEntry>(
  entries: readonly E[],
  { text = '', tag = null }: { text?: string; tag?: string | null },
  t: Translate,
): E[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (tag !== null && !entry.annotations.tags.includes(tag)) return false;
    if (words.length === 0) return true;
    const all = searchable(entry, t).toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function searchable(entry: HistoryEntry, t: Translate): string {
  const { title, tags, note } = entry.annotations;
  const parts = [entry.name, title ?? '', ...tags, note];
  return entry.kind === 'import'
    ? parts.join('\n')
    : [
        ...parts,
        runHeadlineText(entry.headline, t),
        machineLine(entry.machine, t),
        ...entry.servers,
        entry.runId,
      ].join('\n');
}

/** Tags as people type them, with commas (of either script) between; each once. */
export function typedTags(text: string): string[] {
  const tags = text.split(/[,，、;；]/).map((one) => one.trim().replace(/\s+/g, ' '));
  return [...new Set(tags.filter(Boolean))];
}

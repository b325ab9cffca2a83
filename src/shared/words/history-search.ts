import type { Language } from '../model/settings.ts';
import type { Translate } from './i18n.ts';
import { machineLine } from './provenance.ts';
import type { HistoryEntry } from '../model/history-entry.ts';
import { headlineText } from './wording.ts';
import { givenText } from './labels.ts';

export function entryName({ name, annotations }: HistoryEntry, language: Language): string {
  return annotations.title ?? givenText(name, language);
}

export function searched<E extends HistoryEntry>(entries: readonly E[], text: string, t: Translate): E[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (words.length === 0) return true;
    const all = searchable(entry, t).toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function searchable(entry: HistoryEntry, t: Translate): string {
  const { title, note } = entry.annotations;
  return [
    ...[entry.name, title ?? '', note],
    headlineText(entry, t),
    machineLine(entry.machine, t),
    ...entry.servers,
    entry.runId,
  ].join('\n');
}

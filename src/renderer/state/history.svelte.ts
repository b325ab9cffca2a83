import type { Annotations } from '../../shared/model/annotations.ts';
import { MOST_RUNS } from '../../shared/words/compare-wording.ts';
import { entryName } from '../../shared/words/history-search.ts';
import { entryId, type HistoryEntry } from '../../shared/model/history-entry.ts';
import { request } from '../api.ts';
import { attempt, refreshRecent } from './app.svelte.ts';

/** How many results the list begins with, and how many more are shown at a time. */
const PAGE = 50;

/** A result that was put aside and can be had back. */
export interface Deleted {
  id: string;
  name: string;
}

class HistoryState {
  /** Undefined until it has been read. */
  entries = $state.raw<HistoryEntry[] | undefined>();
  search = $state('');
  tag = $state.raw<string | null>(null);
  shown = $state(PAGE);
  /** Runs to be compared, in the order in which they were chosen. */
  selected = $state.raw<string[]>([]);
  /** The latest first. */
  deleted = $state.raw<Deleted[]>([]);
}

export const history = new HistoryState();

/** Reads the history anew. */
export async function refreshHistory(): Promise<void> {
  await attempt(async () => {
    const entries = await request('history:list', {});
    history.entries = entries;
    const known = entries.map(entryId);
    history.selected = history.selected.filter((id) => known.includes(id));
    if (history.tag !== null && !entries.some((one) => one.annotations.tags.includes(history.tag ?? ''))) {
      history.tag = null;
    }
  });
  history.entries ??= [];
}

/** Searches from the beginning. */
export function searchFor(change: { text?: string; tag?: string | null }): void {
  if (change.text !== undefined) history.search = change.text;
  if (change.tag !== undefined) history.tag = change.tag;
  history.shown = PAGE;
}

/** Shows one more page of entries. */
export function showMore(): void {
  history.shown += PAGE;
}

/** Chooses a run for comparing, or no longer; more than can be compared are not chosen. */
export function toggleSelected(id: string): void {
  if (history.selected.includes(id)) history.selected = history.selected.filter((one) => one !== id);
  else if (history.selected.length < MOST_RUNS) history.selected = [...history.selected, id];
}

/** Changes what stands beside a result. Rejects as requests do; then nothing has changed. */
export async function annotate(id: string, change: Partial<Omit<Annotations, 'shared'>>): Promise<void> {
  const annotations = await request('history:annotate', { id, change });
  history.entries = history.entries?.map((one) => (entryId(one) === id ? { ...one, annotations } : one));
  void refreshRecent();
}

/** Puts a result aside; true when that was done. */
export async function deleteEntry(entry: HistoryEntry): Promise<boolean> {
  const id = entryId(entry);
  let done = false;
  await attempt(async () => {
    await request('history:delete', { id });
    done = true;
    history.entries = history.entries?.filter((one) => entryId(one) !== id);
    history.selected = history.selected.filter((one) => one !== id);
    history.deleted = [{ id, name: entryName(entry) }, ...history.deleted];
    void refreshRecent();
  });
  return done;
}

/** Has back what was deleted. */
export async function undoDelete({ id }: Deleted): Promise<void> {
  forget(id);
  await attempt(async () => {
    await request('history:restore', { id });
  });
  await Promise.all([refreshHistory(), refreshRecent()]);
}

/** Nobody wants it back: it is removed for good. */
export async function dismissDeleted({ id }: Deleted): Promise<void> {
  forget(id);
  // What is left over is removed at the next start.
  await request('history:purge', { id }).catch(() => undefined);
}

function forget(id: string): void {
  history.deleted = history.deleted.filter((one) => one.id !== id);
}

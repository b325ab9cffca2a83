import type { Annotations, HistoryEntry, HistoryPage } from '../../shared/model/history-entry.ts';
import type { NamedRun } from '../../shared/words/compare-wording.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { request } from '../api.ts';
import { app, attempt, goTo, refreshRecent } from './app.svelte.ts';
import { repeatRun } from './plan.svelte.ts';

const PAGE = 50;

class HistoryState {
  entries = $state.raw<HistoryEntry[]>([]);
  /** True once all rows are loaded, or can't be read. */
  isWhole = $state(false);
  search = $state('');
  shown = $state(PAGE);
  selected = $state.raw<string[]>([]);
}

export const history = new HistoryState();

let latest = 0;

/** Pages come newest first; deleted runs leave at the end. A later call takes over. */
export async function refreshHistory(): Promise<void> {
  const own = ++latest;
  const listed: HistoryEntry[] = [];
  await attempt(async () => {
    for (let before: string | null = null; ;) {
      const page: HistoryPage = await request('history:list', { before });
      if (own !== latest) return;
      listed.push(...page.entries);
      const ids = page.entries.map(({ runId }) => runId);
      const others = history.entries.filter(({ runId }) => !ids.includes(runId));
      history.entries = [...page.entries, ...others].sort((a, b) => b.startedAt - a.startedAt);
      if (page.next === null) break;
      before = page.next;
    }
    const known = listed.map(({ runId }) => runId);
    history.entries = history.entries.filter(({ runId }) => known.includes(runId));
    history.selected = history.selected.filter((id) => known.includes(id));
  });
  if (own === latest) history.isWhole = true;
}

export function searchFor(text: string): void {
  history.search = text;
  history.shown = PAGE;
}

export function showMore(): void {
  history.shown += PAGE;
}

export function toggleSelected(id: string): void {
  const others = history.selected.filter((one) => one !== id);
  history.selected = others.length < history.selected.length ? others : [...others, id];
}

export async function annotate(id: string, change: Partial<Omit<Annotations, 'shared'>>): Promise<void> {
  const annotations = await request('history:annotate', { id, change });
  history.entries = history.entries.map((one) => (one.runId === id ? { ...one, annotations } : one));
  void refreshRecent();
}

/** False without a trash: nothing was deleted. */
export async function deleteEntry(entry: HistoryEntry, forGood = false): Promise<boolean> {
  const { runId: id } = entry;
  let hasTrash = true;
  await attempt(async () => {
    hasTrash = await request('history:delete', { id, forGood });
    if (!hasTrash) return;
    history.entries = history.entries.filter((one) => one.runId !== id);
    history.selected = history.selected.filter((one) => one !== id);
    void refreshRecent();
  });
  return hasTrash;
}

class CompareState {
  results = $state.raw<NamedRun[]>([]);
  unread = $state.raw<string[]>([]);
  isLoading = $state(false);
  repeats = $state.raw<Readonly<Record<string, RunState>>>({});
}

export const compare = new CompareState();

export async function compareRunsOf(ids: readonly string[]): Promise<void> {
  goTo('compare');
  compare.results = [];
  compare.unread = [];
  await loading(async () => {
    // Each result may be large, so one loads at a time.
    for (const runId of ids) {
      const run = await request('results:load', { runId });
      const entry = history.entries.find((one) => one.runId === runId);
      compare.results = [...compare.results, { name: entry?.annotations.title ?? null, run }];
    }
  });
}

export function compareFolder(): Promise<void> {
  goTo('compare');
  compare.results = [];
  return addResults('folder');
}

export async function addResults(from: 'file' | 'folder'): Promise<void> {
  await loading(async () => {
    const found = await request('results:add', { from });
    if (found === null) return;
    const { results, unread } = found;
    const isAdded = ({ run }: NamedRun): boolean => results.some((one) => one.run.runId === run.runId);
    compare.results = [...compare.results.filter((one) => !isAdded(one)), ...results];
    compare.unread = unread;
  });
}

export function leaveOut(runId: string): void {
  compare.results = compare.results.filter(({ run }) => run.runId !== runId);
}

export async function repeatHere(run: RunState): Promise<void> {
  await repeatRun(run);
  const { plan, planRequest } = app;
  if (plan === undefined || planRequest.repeated?.runId !== run.runId) return;
  compare.repeats = { ...compare.repeats, [plan.id]: run };
}

export async function repeatStored(runId: string): Promise<void> {
  await attempt(async () => repeatHere(await request('results:load', { runId })));
}

async function loading(action: () => Promise<void>): Promise<void> {
  if (compare.isLoading) return;
  compare.isLoading = true;
  await attempt(action);
  compare.isLoading = false;
}

import { join } from 'node:path';
import { entryId, entryTime, type RecentEntry } from '../../shared/model/history-entry.ts';
import { recentImports } from './imports.ts';
import type { Runs } from './runs.ts';
import type { Core } from './core.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { ImportStore } from '../import/import-store.ts';
import type { OpenedResults } from '../history/opened-results.ts';
import type { RunStore } from '../runs/run-store.ts';

/** How many results home lists. */
const RECENT = 8;

type ResultRequests =
  'results:recent' | 'results:open-text' | 'results:load' | 'results:example' | 'core:open-result';

export interface ResultsContext {
  runs: Runs;
  store: RunStore;
  imports: ImportStore;
  history: HistoryStore;
  opened: OpenedResults;
  assetsDir: string;
}

/** What the app asks of results: its own, the example, and those that somebody gave away. */
export function resultHandlers(context: ResultsContext): Pick<Core, ResultRequests> {
  const { runs, store, imports, history, opened, assetsDir } = context;
  return {
    'results:recent': async () => {
      await runs.settled();
      const kept = (await store.recent(RECENT)).map((run): RecentEntry => ({ kind: 'run', ...run }));
      const all = [...kept, ...(await recentImports(imports, RECENT))];
      return titled(all.sort((a, b) => entryTime(b) - entryTime(a)).slice(0, RECENT), history);
    },
    'results:load': ({ runId }) => runs.view(runId),
    'results:open-text': ({ name, text }) => opened.openText(text, name),
    'results:example': () => opened.openFile(join(assetsDir, 'example', 'result.json.gz')),
    'core:open-result': ({ path }) => opened.openFile(path),
  };
}

/** Under the names that the user gave them. */
function titled(entries: RecentEntry[], history: HistoryStore): Promise<RecentEntry[]> {
  return Promise.all(
    entries.map(async (entry) => {
      const { title } = await history.annotations(entryId(entry));
      return { ...entry, name: title ?? entry.name };
    }),
  );
}

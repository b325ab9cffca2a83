import { BenchmarkError } from '../../shared/errors.ts';
import type { Core } from '../../shared/contract/ipc.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { join } from 'node:path';
import { entryId, entryTime, type RecentEntry } from '../../shared/model/history-entry.ts';
import type { Runs } from './runs.ts';
import type { ImportStore } from '../import/import-store.ts';
import type { OpenedResults } from '../store/opened-results.ts';
import type { RunStore } from '../store/run-store.ts';
import { writeExport } from '../report/export.ts';
import { exportRun, previewRun, type RunToShare } from '../report/share-run.ts';
import type { ImportedFile, ImportedRun } from '../../shared/model/imported.ts';
import { importFile, importText } from '../import/import-source.ts';

type HistoryRequests =
  | 'history:list'
  | 'history:annotate'
  | 'history:has'
  | 'history:keep'
  | 'core:history-files'
  | 'core:history-remove';

interface HistoryContext {
  settled(): Promise<unknown>;
  openedPath(runId: string): string | undefined;
  isOwn(runId: string): boolean;
}

export function historyHandlers(store: HistoryStore, context: HistoryContext): Pick<Core, HistoryRequests> {
  return {
    'history:list': async ({ before }) => {
      await context.settled();
      return store.page(before);
    },
    'history:annotate': ({ id, change }) => store.annotate(id, change),
    'history:has': async ({ id }) => {
      await context.settled();
      return context.isOwn(id) || store.has(id);
    },
    'history:keep': async ({ id }) => {
      const path = context.openedPath(id);
      if (path === undefined) {
        throw new BenchmarkError('RESULT_UNREADABLE', { name: id, reason: 'it is not open any more' });
      }
      await store.keep(id, path);
      return undefined;
    },
    'core:history-files': async ({ id }) => {
      await context.settled();
      return store.filesOf(id);
    },
    'core:history-remove': async ({ id }) => {
      await context.settled();
      await store.remove(id);
      return undefined;
    },
  };
}

const RECENT = 8;

type ResultRequests =
  'results:recent' | 'results:open-text' | 'results:load' | 'results:example' | 'core:open-result';

interface ResultsContext {
  runs: Runs;
  store: RunStore;
  imports: ImportStore;
  history: HistoryStore;
  opened: OpenedResults;
  assetsDir: string;
}

export function resultHandlers(context: ResultsContext): Pick<Core, ResultRequests> {
  const { runs, store, imports, history, opened, assetsDir } = context;
  return {
    'results:recent': async () => {
      await runs.settled();
      const ownRuns = (await store.recent(RECENT)).map((run): RecentEntry => ({ kind: 'run', ...run }));
      const all = [...ownRuns, ...(await recentImports(imports, RECENT))];
      return titled(all.sort((a, b) => entryTime(b) - entryTime(a)).slice(0, RECENT), history);
    },
    'results:load': ({ runId }) => runs.view(runId),
    'results:open-text': ({ name, text }) => opened.openText(text, name),
    'results:example': () => opened.openFile(join(assetsDir, 'example', 'result.json.gz')),
    'core:open-result': ({ path }) => opened.openFile(path),
  };
}

function titled(entries: RecentEntry[], history: HistoryStore): Promise<RecentEntry[]> {
  return Promise.all(
    entries.map(async (entry) => {
      const { title } = await history.annotations(entryId(entry));
      return { ...entry, name: title ?? entry.name };
    }),
  );
}

type ShareRequests = 'share:preview' | 'core:export' | 'core:export-bytes';

export function shareHandlers(
  find: (runId: string) => Promise<RunToShare>,
  assetsDir: string,
): Pick<Core, ShareRequests> {
  return {
    'share:preview': async ({ runId, ...wanted }) => previewRun(await find(runId), { ...wanted, assetsDir }),
    'core:export': async ({ runId, path, ...wanted }) => {
      const bytes = await exportRun(await find(runId), { ...wanted, assetsDir });
      await writeExport(path, bytes, { overwrite: true });
      return undefined;
    },
    'core:export-bytes': async ({ runId, ...wanted }) => ({
      // A copy: a pooled Buffer would send its whole pool.
      bytes: Uint8Array.from(await exportRun(await find(runId), { ...wanted, assetsDir })),
    }),
  };
}

type ImportRequests = 'imports:parse-and-store' | 'imports:load' | 'core:import-file';

export function importHandlers(store: ImportStore): Pick<Core, ImportRequests> {
  const keep = async (name: string, runs: ImportedRun[]): Promise<ImportedFile> =>
    (await store.save(name, runs, new Date())).file;
  return {
    'imports:parse-and-store': async ({ text, name }) => keep(name, await importText(text)),
    'imports:load': ({ importId }) => store.load(importId),
    'core:import-file': async ({ path }) => keep(path.split(/[\\/]/).at(-1) ?? path, await importFile(path)),
  };
}

export async function recentImports(store: ImportStore, limit: number): Promise<RecentEntry[]> {
  return (await store.recent(limit)).map(({ id, ...rest }) => ({ kind: 'import', importId: id, ...rest }));
}

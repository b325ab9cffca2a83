import { BenchmarkError } from '../../shared/errors.ts';
import type { Core } from '../../shared/contract/ipc.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { basename, join } from 'node:path';
import type { Runs } from './runs.ts';
import type { OpenedResults } from '../store/opened-results.ts';
import type { RunStore } from '../store/run-store.ts';
import { writeExport } from '../report/export.ts';
import { exportRun, previewRun, type RunToShare } from '../report/share-run.ts';

interface HistoryContext {
  settled(): Promise<unknown>;
  openedPath(runId: string): string | undefined;
  isOwn(runId: string): boolean;
}

export function historyHandlers(store: HistoryStore, context: HistoryContext) {
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
    'core:history-folder': async ({ id }) => {
      await context.settled();
      return store.folderOf(id);
    },
    'core:history-remove': async ({ id }) => {
      await context.settled();
      await store.remove(id);
      return undefined;
    },
  } satisfies Partial<Core>;
}

const RECENT = 8;

interface ResultsContext {
  runs: Runs;
  store: RunStore;
  history: HistoryStore;
  opened: OpenedResults;
  assetsDir: string;
}

export function resultHandlers(context: ResultsContext) {
  const { runs, store, history, opened, assetsDir } = context;
  return {
    'results:recent': async () => {
      await runs.settled();
      const recent = await store.recent(RECENT);
      return Promise.all(
        recent.map(async (run) => ({
          ...run,
          name: (await history.annotations(run.runId)).title ?? run.name,
        })),
      );
    },
    'results:load': ({ runId }) => runs.load(runId),
    'results:open-text': ({ name, text }) => opened.openText(text, name),
    'results:example': () => opened.openFile(join(assetsDir, 'example', 'result.json.gz')),
    'results:open': ({ path }) => opened.openFile(path),
    'results:add': ({ from, path }) => opened.add(from, path),
  } satisfies Partial<Core>;
}

export function shareHandlers(find: (runId: string) => Promise<RunToShare>, assetsDir: string) {
  return {
    'share:preview': async ({ runId, ...wanted }) => previewRun(await find(runId), { ...wanted, assetsDir }),
    'results:export': async ({ runId, path, ...wanted }) => {
      const bytes = await exportRun(await find(runId), { ...wanted, assetsDir });
      await writeExport(path, bytes, { overwrite: true });
      return { fileName: basename(path) };
    },
    'core:export-bytes': async ({ runId, ...wanted }) => ({
      // A copy: a pooled Buffer would send its whole pool.
      bytes: Uint8Array.from(await exportRun(await find(runId), { ...wanted, assetsDir })),
    }),
  } satisfies Partial<Core>;
}

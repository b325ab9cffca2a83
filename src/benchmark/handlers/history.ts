import { basename, join } from 'node:path';
import type { Core } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { writeExport } from '../report/export.ts';
import { exportRun, previewRun } from '../report/share-run.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { OpenedResults } from '../store/opened-results.ts';
import type { RunStore } from '../store/run-store.ts';
import type { Runs } from './runs.ts';

const RECENT = 8;

interface ResultsContext {
  runs: Pick<Runs, 'settled' | 'isOwn' | 'load' | 'toShare'>;
  store: RunStore;
  history: HistoryStore;
  opened: OpenedResults;
  assetsDir: string;
}

export function resultHandlers({ runs, store, history, opened, assetsDir }: ResultsContext) {
  return {
    'history:list': async ({ before }) => {
      await runs.settled();
      return history.page(before);
    },
    'history:annotate': ({ id, change }) => history.annotate(id, change),
    'history:has': async ({ id }) => {
      await runs.settled();
      return runs.isOwn(id) || history.has(id);
    },
    'history:keep': async ({ id }) => {
      const path = opened.path(id);
      if (path === undefined) {
        throw new BenchmarkError('RESULT_UNREADABLE', { name: id, reason: 'it is not open any more' });
      }
      await history.keep(id, path);
      return undefined;
    },
    'core:history-folder': async ({ id }) => {
      await runs.settled();
      return history.folderOf(id);
    },
    'core:history-remove': async ({ id }) => {
      await runs.settled();
      await history.remove(id);
      return undefined;
    },
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
    'share:preview': async ({ runId, ...wanted }) =>
      previewRun(await runs.toShare(runId), { ...wanted, assetsDir }),
    'results:export': async ({ runId, path, ...wanted }) => {
      const bytes = await exportRun(await runs.toShare(runId), { ...wanted, assetsDir });
      await writeExport(path, bytes, { overwrite: true });
      return { fileName: basename(path) };
    },
    'core:export-bytes': async ({ runId, ...wanted }) => ({
      // A copy, since a pooled Buffer would send its whole pool.
      bytes: Uint8Array.from(await exportRun(await runs.toShare(runId), { ...wanted, assetsDir })),
    }),
  } satisfies Partial<Core>;
}

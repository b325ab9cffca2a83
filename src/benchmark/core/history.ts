import { BenchmarkError } from '../../shared/errors.ts';
import type { Core } from './core.ts';
import type { HistoryStore } from '../history/history-store.ts';

type HistoryRequests =
  | 'history:list'
  | 'history:annotate'
  | 'history:has'
  | 'history:keep'
  | 'core:history-files'
  | 'core:history-remove';

export interface HistoryContext {
  /** Resolves when every run that has ended is on disk. */
  settled(): Promise<unknown>;
  /** Where the result file lies that was opened with this run in it. */
  openedPath(runId: string): string | undefined;
  /** A run of this session whose result is not on disk all the same. */
  isOwn(runId: string): boolean;
}

/** What the app asks of the history. */
export function historyHandlers(store: HistoryStore, context: HistoryContext): Pick<Core, HistoryRequests> {
  return {
    'history:list': async () => {
      await context.settled();
      return store.list();
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

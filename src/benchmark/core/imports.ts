import type { RecentEntry } from '../../shared/model/history-entry.ts';
import type { ImportedFile } from '../../shared/model/imported.ts';
import type { Core } from './core.ts';
import { readImportFile } from '../import/import-source.ts';
import type { ImportStore } from '../import/import-store.ts';
import { importSysbench } from '../import/sysbench-text.ts';

type ImportRequests = 'imports:parse-and-store' | 'imports:load' | 'core:import-file';

/** What the app asks of imports. */
export function importHandlers(store: ImportStore): Pick<Core, ImportRequests> {
  const keep = async (name: string, text: string): Promise<ImportedFile> =>
    (await store.save(name, importSysbench(text), new Date())).file;
  return {
    'imports:parse-and-store': ({ text, name }) => keep(name, text),
    'imports:load': ({ importId }) => store.load(importId),
    'core:import-file': async ({ path }) =>
      keep(path.split(/[\\/]/).at(-1) ?? path, await readImportFile(path)),
  };
}

/** The latest imports as home lists them. */
export async function recentImports(store: ImportStore, limit: number): Promise<RecentEntry[]> {
  return (await store.recent(limit)).map(({ id, ...rest }) => ({ kind: 'import', importId: id, ...rest }));
}

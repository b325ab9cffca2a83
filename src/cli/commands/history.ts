import { basename } from 'node:path';
import { HistoryStore } from '../../benchmark/store/history-store.ts';
import { importFile, importText, readImportStream } from '../../benchmark/import/import-source.ts';
import { ImportStore } from '../../benchmark/import/import-store.ts';
import { RunStore } from '../../benchmark/store/run-store.ts';
import { entryName } from '../../shared/words/history-search.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import type { JsonOption } from './results.ts';
import { note, print, printJson } from '../text/terminal.ts';
import { entryId, entryTime, type HistoryEntry } from '../../shared/model/history-entry.ts';
import { outcomeText } from '../../shared/words/outcome.ts';
import { machineLine } from '../../shared/words/provenance.ts';
import { headlineChips, runHeadlineText } from '../../shared/words/wording.ts';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { groupedNotices } from '../../shared/words/grouped-notices.ts';
import { importedNames, importedNotices, importedRows } from '../../shared/words/import-wording.ts';
import { alignedTables } from '../../benchmark/report/text.ts';

export async function showHistory({ json }: JsonOption): Promise<number> {
  const { dataDir } = paths;
  const runs = new RunStore(dataDir);
  // Includes runs of crashed processes.
  await runs.recover();
  const entries = await new HistoryStore(dataDir, runs, new ImportStore(dataDir)).list();
  if (json) printJson(entries.map(historySummary));
  else print(entries.length === 0 ? t('ui:history.none') : entries.map(historyLines).join('\n\n'));
  return EXIT.done;
}

const STDIN = '-';

export async function importOutput(source: string, { json }: JsonOption): Promise<number> {
  const runs =
    source === STDIN ? await importText(await readImportStream(process.stdin)) : await importFile(source);
  const name = source === STDIN ? 'pasted text' : basename(source);
  const { path } = await new ImportStore(paths.dataDir).save(name, runs, new Date());
  if (json) {
    printJson({ runs, stored: path });
  } else {
    print(renderImport(runs));
    note(`Saved: ${path}`);
  }
  return EXIT.done;
}

/** Stable for scripts: fields are added, never renamed. */
export function historySummary(entry: HistoryEntry) {
  const { note, shared } = entry.annotations;
  return {
    kind: entry.kind,
    id: entryId(entry),
    name: entryName(entry, 'en'),
    at: new Date(entryTime(entry)).toISOString(),
    note,
    shared,
    ...(entry.kind === 'run'
      ? {
          outcome: entry.outcome,
          failed: entry.failed,
          headline: runHeadlineText(entry.headline, t),
          machine: machineLine(entry.machine, t),
          servers: entry.servers,
          scenarios: entry.scenarios,
        }
      : { runs: entry.runs }),
  };
}

export function historyLines(entry: HistoryEntry): string {
  const { note } = entry.annotations;
  const when = new Date(entryTime(entry)).toISOString().slice(0, 16).replace('T', ' ');
  const about =
    entry.kind === 'run'
      ? [
          headlineChips(entry.headline, t).join(t('report:list.items')),
          [machineLine(entry.machine, t), ...entry.servers, outcomeText(entry, t)].join(' · '),
        ]
      : [t('ui:history.importedRuns', { count: entry.runs })];
  return [
    `${entryId(entry)}  ${when}  ${entryName(entry, 'en')}`,
    ...about.map((line) => `    ${line}`),
    ...(note === '' ? [] : note.split('\n').map((line) => `    | ${line}`)),
  ].join('\n');
}

function renderImport(runs: ImportedRun[]): string {
  const names = importedNames(runs, t);
  const remarks = groupedNotices(importedNotices(runs), t).map(
    ({ message, scenarioIds }) =>
      `${scenarioIds.map((index) => names[Number(index)]).join(', ')}: ${message}`,
  );
  return [
    ...alignedTables([importedRows(runs, t)]).flat(),
    ...(remarks.length === 0 ? [] : ['', ...remarks]),
  ].join('\n');
}

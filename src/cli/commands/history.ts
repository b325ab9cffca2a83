import { basename } from 'node:path';
import { HistoryStore } from '../../benchmark/history/history-store.ts';
import { readImportFile, readImportStream } from '../../benchmark/import/import-source.ts';
import { ImportStore } from '../../benchmark/import/import-store.ts';
import { importSysbench } from '../../benchmark/import/sysbench-text.ts';
import { RunStore } from '../../benchmark/runs/run-store.ts';
import { searched } from '../../shared/words/history-search.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import { EXIT } from '../exit-codes.ts';
import { historyLines, historySummary } from '../text/history-text.ts';
import { renderImport } from '../text/import-table.ts';
import { paths } from '../installation.ts';
import type { JsonOption } from './results.ts';
import { note, print, printJson } from '../text/terminal.ts';

/** `whalemark history [--search TEXT]`: every run and import, the latest first. */
export async function showHistory({
  search = '',
  json,
}: JsonOption & { search?: string | undefined }): Promise<number> {
  const { dataDir } = paths;
  const runs = new RunStore(dataDir);
  // What a run measured whose process died is there as well.
  await runs.recover();
  const all = await new HistoryStore(dataDir, runs, new ImportStore(dataDir)).list();
  const found = searched(all, search, t);
  if (json) printJson(found.map(historySummary));
  else if (found.length > 0) print(found.map(historyLines).join('\n\n'));
  else print(t(all.length === 0 ? 'ui:history.none' : 'ui:history.nothingFound'));
  return EXIT.done;
}

const STDIN = '-';

/** `whalemark import FILE|-`: reads sysbench output, shows it and stores it beside our own results. */
export async function importOutput(
  source: string,
  { name: title, json }: JsonOption & { name?: string | undefined },
): Promise<number> {
  const text = source === STDIN ? await readImportStream(process.stdin) : await readImportFile(source);
  const runs = importSysbench(text);
  const name = title ?? (source === STDIN ? 'pasted text' : basename(source));
  const { path } = await new ImportStore(paths.dataDir).save(name, runs, new Date());
  if (json) {
    printJson({ runs, stored: path });
  } else {
    print(renderImport(runs));
    note(`Stored: ${path}`);
  }
  return EXIT.done;
}

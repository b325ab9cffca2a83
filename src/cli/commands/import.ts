import { importFile, importText, readImportStream } from '../../benchmark/import/import-source.ts';
import { alignedTables } from '../../benchmark/report/text.ts';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { groupedNotices } from '../../shared/words/grouped-notices.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import { importedNames, importedNotices, importedRows } from '../../shared/words/import-wording.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printJson } from '../text/terminal.ts';
import type { JsonOption } from './results.ts';

const STDIN = '-';

export async function importOutput(source: string, { json }: JsonOption): Promise<number> {
  const runs =
    source === STDIN ? await importText(await readImportStream(process.stdin)) : await importFile(source);
  if (json) printJson({ runs });
  else print(renderImport(runs));
  return EXIT.done;
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

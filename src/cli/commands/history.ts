import { HistoryStore } from '../../benchmark/history/history-store.ts';
import { ImportStore } from '../../benchmark/import/import-store.ts';
import { RunStore } from '../../benchmark/runs/run-store.ts';
import { searched } from '../../shared/words/history-search.ts';
import { createTranslator } from '../../shared/words/i18n.ts';
import { parse } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { historyLines, historySummary } from '../text/history-text.ts';
import { paths } from '../installation.ts';
import { print, printJson } from '../text/terminal.ts';

const t = createTranslator('en');

/** `whalemark history [--search TEXT] [--tag TAG]`: every run and import, the latest first. */
export async function historyCommand(argv: string[]): Promise<number> {
  const { values } = parse(
    argv,
    { json: { type: 'boolean' }, search: { type: 'string' }, tag: { type: 'string' } },
    0,
  );
  const { dataDir } = paths;
  const runs = new RunStore(dataDir);
  // What a run measured whose process died is there as well.
  await runs.recover();
  const all = await new HistoryStore(dataDir, runs, new ImportStore(dataDir)).list();
  const found = searched(all, { text: values.search ?? '', tag: values.tag ?? null }, t);
  if (values.json === true) printJson(found.map(historySummary));
  else if (found.length > 0) print(found.map(historyLines).join('\n\n'));
  else print(t(all.length === 0 ? 'ui:history.none' : 'ui:history.nothingFound'));
  return EXIT.done;
}

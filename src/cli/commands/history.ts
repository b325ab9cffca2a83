import { HistoryStore } from '../../benchmark/store/history-store.ts';
import { RunStore } from '../../benchmark/store/run-store.ts';
import { entryName } from '../../shared/words/history-search.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import type { JsonOption } from './results.ts';
import { print, printJson } from '../text/terminal.ts';
import type { HistoryEntry } from '../../shared/model/history-entry.ts';
import { outcomeText } from '../../shared/words/outcome.ts';
import { machineLine } from '../../shared/words/provenance.ts';
import { headlineChips, headlineText } from '../../shared/words/wording.ts';

export async function showHistory({ json }: JsonOption): Promise<number> {
  const { dataDir } = paths;
  const runs = new RunStore(dataDir);
  await runs.recover();
  const entries = await new HistoryStore(dataDir, runs).list();
  if (json) printJson(entries.map(historySummary));
  else print(entries.length === 0 ? t('ui:history.none') : entries.map(historyLines).join('\n\n'));
  return EXIT.done;
}

/** Stable for scripts: fields are added, never renamed. */
export function historySummary(entry: HistoryEntry) {
  const { note, shared } = entry.annotations;
  return {
    id: entry.runId,
    name: entryName(entry, 'en'),
    at: new Date(entry.startedAt).toISOString(),
    note,
    shared,
    outcome: entry.outcome,
    failed: entry.failed,
    headline: headlineText(entry, t),
    machine: machineLine(entry.machine, t),
    servers: entry.servers,
    scenarios: entry.scenarios,
  };
}

export function historyLines(entry: HistoryEntry): string {
  const { note } = entry.annotations;
  const when = new Date(entry.startedAt).toISOString().slice(0, 16).replace('T', ' ');
  return [
    `${entry.runId}  ${when}  ${entryName(entry, 'en')}`,
    `    ${headlineChips(entry.headline, t).join(t('report:list.items'))}`,
    `    ${[machineLine(entry.machine, t), ...entry.servers, outcomeText(entry, t)].join(' · ')}`,
    ...(note === '' ? [] : note.split('\n').map((line) => `    | ${line}`)),
  ].join('\n');
}

import { entryName } from '../../shared/words/history-search.ts';
import { entryId, entryTime, type HistoryEntry } from '../../shared/model/history-entry.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import { machineLine } from '../../shared/words/provenance.ts';
import { runHeadlineText } from '../../shared/words/wording.ts';

/** What `history --json` prints of each: stable for scripts; fields are added, never renamed. */
export function historySummary(entry: HistoryEntry) {
  const { note, shared } = entry.annotations;
  return {
    kind: entry.kind,
    id: entryId(entry),
    name: entryName(entry),
    at: new Date(entryTime(entry)).toISOString(),
    note,
    shared,
    ...(entry.kind === 'run'
      ? {
          outcome: entry.outcome,
          headline: runHeadlineText(entry.headline, t),
          machine: machineLine(entry.machine, t),
          servers: entry.servers,
          scenarios: entry.scenarios,
        }
      : { runs: entry.runs }),
  };
}

/** One entry for a terminal. */
export function historyLines(entry: HistoryEntry): string {
  const { note } = entry.annotations;
  const when = new Date(entryTime(entry)).toISOString().slice(0, 16).replace('T', ' ');
  const about =
    entry.kind === 'run'
      ? [
          runHeadlineText(entry.headline, t),
          [machineLine(entry.machine, t), ...entry.servers, entry.outcome].join(' · '),
        ]
      : [t('ui:history.importedRuns', { count: entry.runs })];
  return [
    `${entryId(entry)}  ${when}  ${entryName(entry)}`,
    ...about.map((line) => `    ${line}`),
    ...(note === '' ? [] : note.split('\n').map((line) => `    | ${line}`)),
  ].join('\n');
}

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
import { runHeadlineText } from '../../shared/words/wording.ts';
import stringWidth from 'string-width';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { formatCount, formatLatency, formatNumber, NO_VALUE } from '../../shared/words/units.ts';

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
          runHeadlineText(entry.headline, t),
          [machineLine(entry.machine, t), ...entry.servers, outcomeText(entry, t)].join(' · '),
        ]
      : [t('ui:history.importedRuns', { count: entry.runs })];
  return [
    `${entryId(entry)}  ${when}  ${entryName(entry, 'en')}`,
    ...about.map((line) => `    ${line}`),
    ...(note === '' ? [] : note.split('\n').map((line) => `    | ${line}`)),
  ].join('\n');
}

const HEADER = [
  'run',
  'line',
  'sysbench',
  'workload',
  'threads',
  'TPS',
  'QPS',
  'percentile',
  'ignored errors',
  'windows',
];
const LEFT: ReadonlySet<string> = new Set(['sysbench', 'workload']);

function renderImport(runs: ImportedRun[]): string {
  const lines = aligned([HEADER, ...runs.map(row)]);
  const notes = new Map<string, number[]>();
  for (const [index, run] of runs.entries()) {
    for (const { text } of run.notes) notes.set(text, [...(notes.get(text) ?? []), index + 1]);
  }
  const remarks = [...notes].map(([note, of]) => `${runsText(of, runs.length)}: ${note}`);
  return [...lines, ...(remarks.length === 0 ? [] : ['', ...remarks])].join('\n');
}

function row(run: ImportedRun, index: number): string[] {
  const { percentile } = run.latencyUs;
  return [
    String(index + 1),
    String(run.line),
    run.versionText ?? (run.version === null ? NO_VALUE : `${run.version}?`),
    run.workload ?? NO_VALUE,
    count(run.threads),
    rate(run.tps),
    rate(run.qps),
    percentile === null ? NO_VALUE : `p${percentile.rank} ${formatLatency(percentile.value)}`,
    count(run.ignoredErrors),
    count(run.windows.length),
  ];
}

function rate(perSecond: number | null): string {
  return perSecond === null ? NO_VALUE : formatNumber(perSecond, 2);
}

function count(value: number | null): string {
  return value === null ? NO_VALUE : formatCount(value);
}

function runsText(numbers: number[], all: number): string {
  if (numbers.length === all && all > 1) return 'all runs';
  return `${numbers.length === 1 ? 'run' : 'runs'} ${numbers.join(', ')}`;
}

function aligned(rows: string[][]): string[] {
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((cells) => stringWidth(cells[column] ?? ''))),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) => {
        const fill = ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
        return LEFT.has(HEADER[column] ?? '') ? cell + fill : fill + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

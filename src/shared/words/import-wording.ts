import type { ImportedRun } from '../model/imported.ts';
import type { Notice } from '../model/plan.ts';
import type { Translate } from './i18n.ts';
import { formatCount, formatDuration, formatLatency, formatNumber, formatRate, NO_VALUE } from './units.ts';

type Read = (run: ImportedRun, t: Translate) => string;

const COLUMNS = [
  ['threads', ({ threads }, t) => countText(threads, t)],
  ['tps', ({ tps }, t) => formatRate(tps, t.language)],
  ['qps', ({ qps }, t) => formatRate(qps, t.language)],
  ['latencyAvg', ({ latencyUs }, t) => formatLatency(latencyUs.avg, t.language)],
  ['percentile', percentileText],
  ['latencyMax', ({ latencyUs }, t) => formatLatency(latencyUs.max, t.language)],
  ['errors', ({ ignoredErrors }, t) => countText(ignoredErrors, t)],
  ['reconnects', ({ reconnects }, t) => countText(reconnects, t)],
  [
    'duration',
    ({ seconds }, t) => (seconds === null ? NO_VALUE : formatDuration(seconds * 1000, t.language)),
  ],
  ['version', versionText],
] as const satisfies [string, Read][];

/** The first row is the header. */
export function importedRows(runs: readonly ImportedRun[], t: Translate): string[][] {
  const header = [t('ui:imports.run'), ...COLUMNS.map(([column]) => t(`ui:imports.${column}`))];
  const names = importedNames(runs, t);
  return [
    header,
    ...runs.map((run, index) => [names[index] ?? '', ...COLUMNS.map(([, read]) => read(run, t))]),
  ];
}

/** "2. oltp, 4 threads" */
export function importedNames(runs: readonly ImportedRun[], t: Translate): string[] {
  return runs.map(({ workload, threads }, index) => {
    const what = workload ?? t('ui:imports.run');
    const name =
      threads === null ? what : t('ui:imports.runName', { what, threads: formatCount(threads, t.language) });
    return runs.length === 1 ? name : `${index + 1}. ${name}`;
  });
}

/** Of each run by its index. */
export function importedNotices(runs: readonly ImportedRun[]): Notice[] {
  return runs.flatMap(({ notes }, index) =>
    notes.map((message) => ({ code: message.code, message, scenarioId: String(index) })),
  );
}

function countText(value: number | null, t: Translate): string {
  return value === null ? NO_VALUE : formatCount(value, t.language);
}

function percentileText({ latencyUs: { percentile } }: ImportedRun, t: Translate): string {
  if (percentile === null) return NO_VALUE;
  const { rank, value } = percentile;
  return t('ui:imports.percentileValue', {
    rank: formatNumber(rank, Number.isInteger(rank) ? 0 : 1, t.language),
    value: formatLatency(value, t.language),
  });
}

function versionText({ version, versionText: written }: ImportedRun, t: Translate): string {
  return written ?? (version === null ? NO_VALUE : t('ui:imports.series', { version }));
}

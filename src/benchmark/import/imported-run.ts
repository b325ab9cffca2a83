import { listOf, msg, type Message } from '../../shared/message.ts';
import type { ImportedRun, ImportedWindow, SysbenchSeries } from '../../shared/model/imported.ts';
import { formatNumber } from '../../shared/words/units.ts';
import { hasFinal, type RunDraft } from './run-draft.ts';
import { shortened } from './unreadable.ts';

type Figures = Omit<ImportedRun, 'notes'>;

function notesFor(run: Figures, draft: RunDraft): Message[] {
  if (draft.notSql !== null) {
    return [msg('import.otherTest', { what: testName(draft.notSql) })];
  }
  const tpcc = isTpcc(run);
  const notes = [
    statements21(run, draft),
    tpcc ? tpccNote(run) : undefined,
    tpcc || run.distribution !== null ? undefined : rowIds(run),
    noFinal(run, draft),
    partial(run, draft),
    run.windows.length > 0 ? undefined : msg('import.noIntervals'),
    totalsDisagree(draft),
    rateLimited(draft),
    draft.afterCheckpoint || draft.endsAtCheckpoint ? msg('import.checkpoints') : undefined,
    draft.failure === null ? undefined : msg('import.stopped', { line: shortened(draft.failure) }),
    eventsAsTransactions(run, draft),
    rankUnknown(run, draft),
    percentileAboveMax(run),
  ];
  return notes.filter((note) => note !== undefined);
}

/** 14 reads and 5 writes per committed transaction; rollbacks add up to 14 and 4. */
function statements21({ ignoredErrors, reads, transactions, writes }: Figures, draft: RunDraft) {
  const { otherOperations, readWrite } = draft.rated;
  if (readWrite === undefined || transactions === null || transactions === 0) return undefined;
  const retried = (ignoredErrors ?? 0) / transactions;
  const between = (value: number, low: number, high: number) => value >= low && value <= high;
  const complex =
    reads !== null && writes !== null
      ? between(reads / transactions, 13.9, 14.1 + 14 * retried) &&
        between(writes / transactions, 4.95, 5.05 + 4 * retried)
      : otherOperations !== undefined &&
        between((readWrite.count + otherOperations.count) / transactions, 20.9, 21.1 + 21 * retried) &&
        retried < 0.02;
  return complex ? msg('import.oldTransactions') : undefined;
}

/** By name, or by mix: 13.0 reads, 13.5 writes, and 2.0 others a transaction. */
function isTpcc({ other, reads, transactions, windows, workload, writes }: Figures): boolean {
  if (workload !== null) return /^tpcc/.test(workload);
  const [perRead, perWrite, perOther] =
    transactions !== null && transactions >= 100 && reads !== null && writes !== null && other !== null
      ? [reads / transactions, writes / transactions, other / transactions]
      : windowRatios(windows);
  return Math.abs(perRead - 13) < 0.7 && Math.abs(perWrite - 13.5) < 0.7 && Math.abs(perOther - 2) < 0.1;
}

function windowRatios(windows: Figures['windows']): [number, number, number] {
  let [tps, reads, writes, other] = [0, 0, 0, 0];
  for (const window of windows) {
    tps += window.tps;
    reads += window.reads ?? 0;
    writes += window.writes ?? 0;
    other += window.other ?? 0;
  }
  return [reads / tps, writes / tps, other / tps];
}

function tpccNote({ ignoredErrors, transactions }: Figures): Message {
  if (ignoredErrors === null || transactions === null || transactions === 0) return msg('import.tpccErrors');
  return msg('import.tpccErrorShare', { share: formatNumber((100 * ignoredErrors) / transactions, 2) });
}

function rowIds({ version }: Figures): Message {
  if (version === null) return msg('import.rowIdsUnknown');
  return msg(version === '1.1' ? 'import.rowIdsUniform' : 'import.rowIdsSpecial', { version });
}

function noFinal({ tps, windows }: Figures, draft: RunDraft): Message | undefined {
  const { cumulative, eventsPerSecond, rated } = draft;
  const averaged =
    rated.transactions === undefined && cumulative === null && eventsPerSecond === null && windows.length > 0;
  return averaged && tps !== null ? msg('import.noTotals', { count: windows.length }) : undefined;
}

function partial({ latencyUs, qps }: Figures, draft: RunDraft): Message | undefined {
  if (!hasFinal(draft) || draft.cumulative !== null) return undefined;
  const missing = [
    ...(draft.rated.transactions === undefined ? [msg('import.part.transactions')] : []),
    ...(qps === null ? [msg('import.part.queries')] : []),
    ...(draft.seconds === null ? [msg('import.part.time')] : []),
    ...(latencyUs.avg === null || latencyUs.max === null ? [msg('import.part.latencies')] : []),
  ];
  return missing.length === 0 ? undefined : msg('import.partialReport', { list: listOf(missing) });
}

function apart(printed: number, derived: number): boolean {
  return Math.abs(printed - derived) > Math.max(0.01 * derived, 0.0051);
}

function totalsDisagree({ afterCheckpoint, plain, rated, seconds }: RunDraft): Message | undefined {
  if (seconds !== null && seconds > 0 && !afterCheckpoint) {
    for (const key of ['transactions', 'queries', 'readWrite'] as const) {
      const { count, perSecond } = rated[key] ?? { count: 0, perSecond: null };
      if (perSecond !== null && apart(perSecond, count / seconds)) {
        return msg('import.oddRate', {
          what: msg(`import.figure.${key}`),
          printed: formatNumber(perSecond, 2),
          derived: formatNumber(count / seconds, 2),
        });
      }
    }
  }
  const { other, read, total, write } = plain;
  if (read === undefined || write === undefined || other === undefined || total === undefined)
    return undefined;
  return apart(total, read + write + other)
    ? msg('import.oddTotal', { total, sum: read + write + other })
    : undefined;
}

function rateLimited({ options, rate }: RunDraft): Message | undefined {
  const limit = rate ?? options.rate;
  if (limit === null) return undefined;
  return msg('import.heldRate', { rate: formatNumber(limit, 0) });
}

function eventsAsTransactions({ tps, windows }: Figures, draft: RunDraft): Message | undefined {
  const counted = draft.rated.transactions !== undefined || draft.cumulative !== null;
  const fromEvents = draft.eventsPerSecond !== null || windows.length === 0;
  return tps !== null && !counted && fromEvents ? msg('import.eventsCounted') : undefined;
}

function rankUnknown({ windows, latencyUs }: Figures, draft: RunDraft): Message | undefined {
  const lost =
    draft.intervals.some(
      ({ latencyMs }, index) => latencyMs !== null && windows[index]?.latencyUs === null,
    ) ||
    (typeof draft.cumulative?.latencyMs === 'number' && latencyUs.percentile === null);
  return lost ? msg('import.unknownPercentile') : undefined;
}

function percentileAboveMax({ latencyUs: { max, percentile } }: Figures): Message | undefined {
  if (max === null || percentile === null || percentile.value <= max) return undefined;
  return msg('import.percentileAboveMaximum', { rank: percentile.rank });
}

function testName(test: string): Message {
  const known = (['cpu', 'memory', 'fileio', 'threads'] as const).find((one) => one === test);
  return msg(`import.test.${known ?? 'other'}`);
}

export function importedRun(draft: RunDraft): ImportedRun {
  const windows = importedWindows(draft);
  const { cumulative, notSql, plain, rated } = draft;
  const run: Omit<ImportedRun, 'notes'> = {
    tps: notSql === null ? tpsOf(draft, windows) : null,
    qps: notSql === null ? qpsOf(draft, windows) : null,
    transactions: rated.transactions?.count ?? null,
    ignoredErrors: (rated.ignoredErrors ?? rated.deadlocks)?.count ?? null,
    reconnects: rated.reconnects?.count ?? null,
    latencyUs: {
      min: micros(draft.latencyMs.min),
      avg: micros(draft.latencyMs.avg),
      max: micros(draft.latencyMs.max),
      percentile:
        draft.percentile === null
          ? latencyOf(draft, cumulative?.rank ?? null, cumulative?.latencyMs ?? null)
          : { rank: draft.percentile.rank, value: round(draft.percentile.ms * 1000) },
    },
    windows,
    version: seriesOf(draft),
    versionText: draft.versionText,
    threads: draft.threads ?? windows[0]?.threads ?? draft.options.threads,
    seconds: draft.afterCheckpoint ? null : draft.seconds,
    events: draft.events,
    reads: plain.read ?? null,
    writes: plain.write ?? null,
    other: plain.other ?? rated.otherOperations?.count ?? null,
    distribution: draft.distribution ?? draft.options.distribution,
    workload: draft.options.workload ?? draft.workload,
    line: draft.line,
  };
  return { ...run, notes: notesFor(run, draft) };
}

function tpsOf(draft: RunDraft, windows: ImportedWindow[]): number | null {
  return (
    rateOf(draft, draft.rated.transactions) ??
    draft.cumulative?.tps ??
    draft.eventsPerSecond ??
    eventsRate(draft, windows) ??
    mean(windows, ({ tps }) => tps)
  );
}

function eventsRate(draft: RunDraft, windows: ImportedWindow[]): number | null {
  if (draft.events === null || windows.length > 0 || Object.keys(draft.rated).length > 0) return null;
  return ratePer(draft.events, draft);
}

/** All statements with BEGIN and COMMIT, as in 1.x; 0.4 and 0.5 print two parts. */
function qpsOf(draft: RunDraft, windows: ImportedWindow[]): number | null {
  const { otherOperations, queries, readWrite } = draft.rated;
  const printed = rateOf(draft, queries);
  if (printed !== null) return printed;
  if (readWrite !== undefined && otherOperations !== undefined) {
    const derived = ratePer(readWrite.count + otherOperations.count, draft);
    if (derived !== null) return derived;
    if (readWrite.perSecond === null || otherOperations.perSecond === null) return null;
    return round(readWrite.perSecond + otherOperations.perSecond);
  }
  const total = draft.plain.total;
  const derived = total === undefined || readWrite !== undefined ? null : ratePer(total, draft);
  if (derived !== null) return derived;
  if (draft.cumulative !== null) return draft.cumulative.qps;
  return draft.rated.transactions === undefined ? mean(windows, ({ qps }) => qps) : null;
}

function rateOf(
  draft: RunDraft,
  rated: { count: number; perSecond: number | null } | undefined,
): number | null {
  return rated === undefined ? null : (rated.perSecond ?? ratePer(rated.count, draft));
}

function ratePer(count: number, { afterCheckpoint, seconds }: RunDraft): number | null {
  return seconds === null || seconds === 0 || afterCheckpoint ? null : round(count / seconds);
}

function mean(windows: ImportedWindow[], value: (window: ImportedWindow) => number | null): number | null {
  let [sum, seconds] = [0, 0];
  for (const window of windows) {
    const perSecond = value(window);
    if (perSecond === null) return null;
    sum += perSecond * window.durationSeconds;
    seconds += window.durationSeconds;
  }
  return seconds === 0 ? null : round(sum / seconds);
}

function importedWindows(draft: RunDraft): ImportedWindow[] {
  let before = beginOf(draft);
  return draft.intervals.map((report) => {
    const startSeconds = before;
    before = report.atSeconds;
    return {
      startSeconds,
      durationSeconds: round(report.atSeconds - startSeconds),
      threads: report.threads,
      tps: report.tps,
      qps: report.qps,
      reads: report.reads,
      writes: report.writes,
      other: report.other,
      latencyUs: latencyOf(draft, report.rank, report.latencyMs),
      errorsPerSecond: report.errors,
      reconnectsPerSecond: report.reconnects,
    };
  });
}

function beginOf({ intervals, reportInterval, startSeconds }: RunDraft): number {
  const [first, second] = intervals;
  if (first === undefined) return startSeconds;
  if (startSeconds > 0 && startSeconds < first.atSeconds) return startSeconds;
  const interval =
    reportInterval ?? (second === undefined ? first.atSeconds : second.atSeconds - first.atSeconds);
  return round(Math.max(0, first.atSeconds - Math.max(interval, 0.01)));
}

/** The hooks' rows lack the percentile; it is the final report's, or the option's. */
function latencyOf(draft: RunDraft, rank: number | null, ms: number | null) {
  const known = rank ?? draft.percentile?.rank ?? draft.options.percentile;
  return ms === null || known === null || known > 100 ? null : { rank: known, value: round(ms * 1000) };
}

function seriesOf(draft: RunDraft): SysbenchSeries | null {
  const { headings, rated, versionText } = draft;
  if (versionText !== null) {
    if (/^0\.4(?:\D|$)/.test(versionText)) return '0.4';
    if (/^0\.5(?:\D|$)/.test(versionText)) return '0.5';
    if (/^1\.0(?:\D|$)/.test(versionText)) return '1.0';
    if (/^1\.[1-9]/.test(versionText)) return '1.1';
    return null;
  }
  if (headings.has('summary') || headings.has('per-request')) return '0.4';
  if (headings.has('response-time') || (headings.has('oltp') && rated.reconnects !== undefined)) return '0.5';
  if (rated.queries === undefined) return null;
  if (headings.has('throughput')) return '1.1';
  return headings.has('general') ? '1.0' : null;
}

function micros(ms: number | undefined): number | null {
  return ms === undefined ? null : round(ms * 1000);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

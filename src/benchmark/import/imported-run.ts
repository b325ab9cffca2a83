import type { ImportedRun, ImportedWindow, SysbenchSeries } from '../../shared/model/imported.ts';
import { notesFor } from './import-notes.ts';
import type { RunDraft } from './run-draft.ts';

/** In the model's units, with derived figures and notes. */
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
    // At a checkpoint sysbench resets counters, but not its clock.
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
  // Beside a truncated final report a mean would look like its figure.
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

/** Weighted by time; null if a window lacks the value. */
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

/** The first lines may be missing. */
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

/** To hundredths, sysbench's precision. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

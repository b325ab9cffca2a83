import { type Message, msg } from '../../shared/message.ts';
import type { ImportedRun, ImportedWindow, SysbenchSeries } from '../../shared/model/imported.ts';
import { DISTRIBUTIONS } from '../../shared/model/names.ts';
import { formatNumber } from '../../shared/words/units.ts';
import type { PrintedRun } from './printed-run.ts';
import { shortened } from './unreadable.ts';

type Figures = Omit<ImportedRun, 'notes'>;

export function importedRun(printed: PrintedRun): ImportedRun {
  const { command, figures, percentile } = printed;
  const windows = windowsOf(printed);
  const valueOf = (name: string): number | null => figures.get(name)?.value ?? null;
  const seconds = valueOf('total time') ?? valueOf('time elapsed');
  const drawn = printed.distribution ?? optionIn(command, 'rand-type|oltp-dist-type');
  const run: Figures = {
    tps:
      rateOf(printed, seconds, ['transactions']) ?? (figures.has('transactions') ? null : meanTps(windows)),
    // All statements with BEGIN and COMMIT, as in 1.x; 0.4 and 0.5 print two parts.
    qps:
      rateOf(printed, seconds, ['queries']) ??
      rateOf(printed, seconds, ['read/write requests', 'other operations']),
    transactions: valueOf('transactions'),
    ignoredErrors: valueOf('ignored errors') ?? valueOf('deadlocks'),
    reconnects: valueOf('reconnects'),
    latencyUs: {
      min: micros(valueOf('min')),
      avg: micros(valueOf('avg')),
      max: micros(valueOf('max')),
      percentile:
        percentile === null || !isPossible(percentile, printed)
          ? null
          : { rank: percentile.rank, value: round(percentile.ms * 1000) },
    },
    windows,
    version: seriesOf(printed),
    versionText: printed.version,
    threads: printed.threads ?? windows[0]?.threads ?? numberIn(command, 'threads|num-threads'),
    seconds,
    reads: valueOf('read'),
    writes: valueOf('write'),
    other: valueOf('other') ?? valueOf('other operations'),
    distribution: DISTRIBUTIONS.find((known) => known === drawn?.toLowerCase()) ?? null,
    workload: workloadIn(command),
    line: printed.line,
  };
  return { ...run, notes: notesFor(run, printed) };
}

function notesFor(run: Figures, printed: PrintedRun): Message[] {
  const isTpcc = isTpccRun(run);
  const { percentile } = printed;
  const missing = missingSeconds(run.windows);
  const limit = printed.rate ?? numberIn(printed.command, 'rate|tx-rate');
  const notes = [
    has21Statements(run, printed) ? msg('import.oldTransactions') : undefined,
    isTpcc ? tpccNote(run) : undefined,
    isTpcc || run.distribution !== null ? undefined : rowIds(run),
    run.tps !== null && run.transactions === null
      ? msg('import.noTotals', { count: run.windows.length })
      : undefined,
    run.windows.length > 0 ? undefined : msg('import.noIntervals'),
    missing > 0 ? msg('import.missingLines', { seconds: formatNumber(missing, 0) }) : undefined,
    percentile === null || isPossible(percentile, printed)
      ? undefined
      : msg('import.impossiblePercentile', { rank: percentile.rank, ms: formatNumber(percentile.ms, 2) }),
    oddRate(run, printed),
    limit === null ? undefined : msg('import.heldRate', { rate: formatNumber(limit, 0) }),
    printed.failure === null ? undefined : msg('import.stopped', { line: shortened(printed.failure) }),
  ];
  return notes.filter((note) => note !== undefined);
}

/** 14 reads and 5 writes per committed transaction; rollbacks add up to 14 and 4. */
function has21Statements({ ignoredErrors, reads, transactions, writes }: Figures, { figures }: PrintedRun) {
  if (!figures.has('read/write requests') || transactions === null || reads === null || writes === null) {
    return false;
  }
  const retried = (ignoredErrors ?? 0) / transactions;
  const isBetween = (value: number, low: number, high: number) => value >= low && value <= high;
  return (
    isBetween(reads / transactions, 13.9, 14.1 + 14 * retried) &&
    isBetween(writes / transactions, 4.95, 5.05 + 4 * retried)
  );
}

/** By name, or by mix: 13.0 reads, 13.5 writes, and 2.0 others a transaction. */
function isTpccRun({ other, reads, transactions, workload, writes }: Figures): boolean {
  if (workload !== null) return workload.startsWith('tpcc');
  if (transactions === null || transactions < 100) return false;
  const isNear = (count: number | null, expected: number) =>
    count !== null && Math.abs(count / transactions - expected) < expected / 20;
  return isNear(reads, 13) && isNear(writes, 13.5) && isNear(other, 2);
}

function tpccNote({ ignoredErrors, transactions }: Figures): Message {
  if (ignoredErrors === null || transactions === null || transactions === 0) return msg('import.tpccErrors');
  return msg('import.tpccErrorShare', { share: formatNumber((100 * ignoredErrors) / transactions, 2) });
}

function rowIds({ version }: Figures): Message {
  if (version === null) return msg('import.rowIdsUnknown');
  return msg(version === '1.1' ? 'import.rowIdsUniform' : 'import.rowIdsSpecial', { version });
}

function oddRate({ seconds, transactions }: Figures, { figures }: PrintedRun): Message | undefined {
  const printed = figures.get('transactions')?.perSecond ?? null;
  if (printed === null || transactions === null || seconds === null || seconds === 0) return undefined;
  const derived = transactions / seconds;
  if (Math.abs(printed - derived) <= Math.max(0.01 * derived, 0.0051)) return undefined;
  return msg('import.oddRate', { printed: formatNumber(printed, 2), derived: formatNumber(derived, 2) });
}

/** Derived if possible: 0.4 and 0.5 print rounded parts. */
function rateOf({ figures }: PrintedRun, seconds: number | null, names: string[]): number | null {
  let [count, rate]: [number, number | null] = [0, 0];
  for (const name of names) {
    const figure = figures.get(name);
    if (figure === undefined) return null;
    count += figure.value;
    rate = rate === null || figure.perSecond === null ? null : rate + figure.perSecond;
  }
  const derived = seconds === null || seconds === 0 ? null : round(count / seconds);
  return names.length === 1 ? (rate ?? derived) : (derived ?? rate);
}

function meanTps(windows: ImportedWindow[]): number | null {
  let [sum, seconds] = [0, 0];
  for (const { tps, durationSeconds } of windows) {
    sum += tps * durationSeconds;
    seconds += durationSeconds;
  }
  return seconds === 0 ? null : round(sum / seconds);
}

/** A line measures the interval that the text names, otherwise the smallest between two lines. */
function windowsOf({ intervals, intervalSeconds }: PrintedRun): ImportedWindow[] {
  const gaps = intervals.map(({ atSeconds }, index) => atSeconds - (intervals[index - 1]?.atSeconds ?? 0));
  const length = intervalSeconds ?? Math.min(...(gaps.length > 1 ? gaps.slice(1) : gaps));
  return intervals.map(({ atSeconds, threads, tps, qps, latency, errors }, index) => {
    const durationSeconds = round(Math.min(length, gaps[index] ?? length));
    return {
      startSeconds: round(atSeconds - durationSeconds),
      durationSeconds,
      threads,
      tps,
      qps,
      latencyUs: latency === null ? null : { rank: latency.rank, value: round(latency.ms * 1000) },
      errorsPerSecond: errors,
    };
  });
}

/** Between the first and the last line. */
function missingSeconds(windows: ImportedWindow[]): number {
  const [first] = windows;
  const last = windows.at(-1);
  if (first === undefined || last === undefined) return 0;
  const measured = windows.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return round(last.startSeconds + last.durationSeconds - first.startSeconds - measured);
}

/** Of sysbench's histogram: as far as its buckets are wide, a percentile may lie outside of what was measured. */
const BUCKET = 0.02;

function isPossible({ ms }: { ms: number }, { figures }: PrintedRun): boolean {
  const least = figures.get('min')?.value ?? 0;
  const most = figures.get('max')?.value ?? Infinity;
  return ms > 0 && ms >= least * (1 - BUCKET) && ms <= most * (1 + BUCKET);
}

function seriesOf({ figures, version }: PrintedRun): SysbenchSeries | null {
  if (version !== null) {
    const series = /^(?:0\.4|0\.5|1\.0)(?!\d)/.exec(version)?.[0];
    if (series !== undefined) return series as SysbenchSeries;
    return /^1\.[1-9]/.test(version) ? '1.1' : null;
  }
  if (figures.has('read/write requests')) return figures.has('response time') ? '0.5' : '0.4';
  if (!figures.has('queries')) return null;
  if (figures.has('time elapsed')) return '1.1';
  return figures.has('total time') ? '1.0' : null;
}

function optionIn(command: string, names: string): string | undefined {
  return new RegExp(` --(?:${names.replaceAll('-', '[-_]')})=(\\S+)`).exec(command)?.[1];
}

function numberIn(command: string, names: string): number | null {
  const text = optionIn(command, names) ?? '';
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

function workloadIn(command: string): string | null {
  const named = /[\w-]{1,60}(?=\.lua\b)|(?<![-\w])(?:oltp|select|bulk)_\w{1,60}|(?<= --test=)\w{1,60}/.exec(
    command,
  );
  return named?.[0] ?? null;
}

function micros(ms: number | null): number | null {
  return ms === null ? null : round(ms * 1000);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

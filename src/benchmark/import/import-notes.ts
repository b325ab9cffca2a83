import type { ImportedRun, ImportNote, ImportNoteCode } from '../../shared/model/imported.ts';
import { formatNumber } from '../../shared/words/units.ts';
import { hasFinal, type RunDraft } from './run-draft.ts';
import { shortened } from './unreadable.ts';

type Figures = Omit<ImportedRun, 'notes'>;

/** What a reader must know before he compares this run with another. */
export function notesFor(run: Figures, draft: RunDraft): ImportNote[] {
  if (draft.notSql !== null) {
    const message = `This is sysbench's test of ${testName(draft.notSql)}, not of a database; it has no transactions.`;
    return [{ code: 'NOT_SQL', message }];
  }
  const notes: ImportNote[] = [];
  const note = (code: ImportNoteCode, message: string | undefined): void => {
    if (message !== undefined) notes.push({ code, message });
  };
  const tpcc = isTpcc(run);
  note('STATEMENTS_21', statements21(run, draft));
  note('TPCC', tpcc ? tpccText(run) : undefined);
  note('DISTRIBUTION_UNKNOWN', tpcc || run.distribution !== null ? undefined : distributionText(run));
  note('NO_FINAL', noFinal(run, draft));
  note('PARTIAL', partial(run, draft));
  note('NO_INTERVALS', run.windows.length > 0 ? undefined : NO_INTERVALS);
  note('TOTALS_DISAGREE', totalsDisagree(draft));
  note('RATE_LIMITED', rateLimited(draft));
  note('CHECKPOINT', draft.afterCheckpoint || draft.endsAtCheckpoint ? CHECKPOINT : undefined);
  note(
    'ENDED_BY_ERROR',
    draft.failure === null ? undefined : `sysbench stopped: “${shortened(draft.failure)}”.`,
  );
  note('EVENTS_AS_TRANSACTIONS', eventsAsTransactions(run, draft));
  note('RANK_UNKNOWN', rankUnknown(run, draft));
  note('PERCENTILE_ABOVE_MAX', percentileAboveMax(run));
  return notes;
}

const NO_INTERVALS = 'The text has no interval lines, so how the run went over time is not known.';
const CHECKPOINT =
  'The counters were reset at checkpoints, so this is one section of a longer run; its interval lines may overlap the next one.';

/** 14 reads and 5 writes a committed transaction; what rolled back left up to 14 and 4 more. */
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
  return complex
    ? 'A transaction of this run has 21 statements, five of them writes, where sysbench 1.x has 20 and four: its TPS is not that of oltp_read_write.'
    : undefined;
}

/** By its name, or by its mix: 13.0 reads, 13.5 writes and 2.0 others a transaction. */
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

function tpccText({ ignoredErrors, transactions }: Figures): string {
  const share =
    ignoredErrors !== null && transactions !== null && transactions > 0
      ? ` (here ${formatNumber((100 * ignoredErrors) / transactions, 2)} %)`
      : '';
  return `This is sysbench-tpcc: about 0.435 % of its transactions roll back on purpose and count as ignored errors${share}, so those are not deadlocks.`;
}

function distributionText({ version }: Figures): string {
  const unknown = 'The text does not say how row ids were drawn';
  if (version === null) {
    return `${unknown}, and the default differs: “special” up to sysbench 1.0, “uniform” in its master branch.`;
  }
  const usual = version === '1.1' ? '“uniform”' : '“special”, a narrow hot range,';
  return `${unknown}; sysbench ${version} takes ${usual} unless told otherwise.`;
}

function noFinal({ tps, windows }: Figures, draft: RunDraft): string | undefined {
  const { cumulative, eventsPerSecond, rated } = draft;
  const averaged =
    rated.transactions === undefined && cumulative === null && eventsPerSecond === null && windows.length > 0;
  if (!averaged || tps === null) return undefined;
  return `The text ends before the totals: the rates are the mean of ${windows.length} interval ${windows.length === 1 ? 'line' : 'lines'}, and there are no latencies of the whole run.`;
}

function partial({ latencyUs, qps }: Figures, draft: RunDraft): string | undefined {
  if (!hasFinal(draft) || draft.cumulative !== null) return undefined;
  const missing = [
    ...(draft.rated.transactions === undefined ? ['the transactions'] : []),
    ...(qps === null ? ['the queries'] : []),
    ...(draft.seconds === null ? ['the total time'] : []),
    ...(latencyUs.avg === null || latencyUs.max === null ? ['latencies'] : []),
  ];
  return missing.length === 0 ? undefined : `The final report is not whole; it lacks ${missing.join(', ')}.`;
}

/** More than 1 % apart, and more than rounding to hundredths explains. */
function apart(printed: number, derived: number): boolean {
  return Math.abs(printed - derived) > Math.max(0.01 * derived, 0.0051);
}

function totalsDisagree({ afterCheckpoint, plain, rated, seconds }: RunDraft): string | undefined {
  if (seconds !== null && seconds > 0 && !afterCheckpoint) {
    const names = {
      transactions: 'transactions',
      queries: 'queries',
      readWrite: 'read/write requests',
    } as const;
    for (const key of ['transactions', 'queries', 'readWrite'] as const) {
      const { count, perSecond } = rated[key] ?? { count: 0, perSecond: null };
      if (perSecond !== null && apart(perSecond, count / seconds)) {
        return `The printed rate of ${names[key]}, ${formatNumber(perSecond, 2)} a second, is not their count divided by the total time, ${formatNumber(count / seconds, 2)}.`;
      }
    }
  }
  const { other, read, total, write } = plain;
  if (read === undefined || write === undefined || other === undefined || total === undefined)
    return undefined;
  return apart(total, read + write + other)
    ? `The printed total of ${total} queries is not the sum of its parts, ${read + write + other}.`
    : undefined;
}

function rateLimited({ options, rate }: RunDraft): string | undefined {
  const limit = rate ?? options.rate;
  if (limit === null) return undefined;
  return `The run was held to ${formatNumber(limit, 0)} transactions a second: its throughput says nothing about what the server can do, and its latency includes waiting in the queue.`;
}

function eventsAsTransactions({ tps, windows }: Figures, draft: RunDraft): string | undefined {
  const counted = draft.rated.transactions !== undefined || draft.cumulative !== null;
  const fromEvents = draft.eventsPerSecond !== null || windows.length === 0;
  return tps !== null && !counted && fromEvents
    ? 'The text has no count of transactions; sysbench’s events are taken for them.'
    : undefined;
}

function rankUnknown({ windows, latencyUs }: Figures, draft: RunDraft): string | undefined {
  const lost =
    draft.intervals.some(
      ({ latencyMs }, index) => latencyMs !== null && windows[index]?.latencyUs === null,
    ) ||
    (typeof draft.cumulative?.latencyMs === 'number' && latencyUs.percentile === null);
  return lost
    ? 'The rows of this report do not say which percentile their latencies are, so these are left out.'
    : undefined;
}

function percentileAboveMax({ latencyUs: { max, percentile } }: Figures): string | undefined {
  if (max === null || percentile === null || percentile.value <= max) return undefined;
  return `The ${percentile.rank}th percentile is above the maximum, because sysbench prints the upper border of a histogram bucket (up to 1.8 % too high).`;
}

function testName(test: string): string {
  const names: Record<string, string> = {
    cpu: 'the processor',
    memory: 'memory',
    fileio: 'files',
    threads: 'threads and locks',
  };
  return names[test] ?? 'something else';
}

import { mergeHistograms, summarizeHistogram } from '../histogram/histogram.ts';
import type { StatementFigures, TrialFigures, Why, WhyCause } from '../model/analysis.ts';
import type { ServerFacts } from '../model/events.ts';
import type { ContainerUsage, TrialEvidence } from '../model/evidence.ts';
import { type Totals } from '../model/measurements.ts';
import { STATEMENT_KINDS, type StatementKind } from '../model/names.ts';
import { TPCC_TYPES } from '../model/workload.ts';

/**
 * What a difference consists of. A transaction's time is the sum of its statements' times, so the difference of two
 * means splits into statement kinds: a decomposition, not a correlation. Formulas: docs/explanation/method.md.
 */

/** A part from this share on is the main cause. */
const MOST = 0.5;
/** Share of the CPU time used that a throttled container waited for its quota. */
const THROTTLED = 0.1;

/** MariaDB 11 doesn't count the log in Innodb_data_written (seen with 11.8.9). */
const LOG_APART = /^(1[1-9]|[2-9]\d)\..*MariaDB/;

interface Measured {
  totals: Totals;
  evidence: TrialEvidence | null;
}

/** Figures of statements, server, and container over all measured trials. */
export function trialFigures(
  trials: readonly Measured[],
  facts: Pick<ServerFacts, 'version' | 'flush'> | null = null,
): TrialFigures {
  const totals = trials.map((trial) => trial.totals);
  const evidence = trials.flatMap((trial) => (trial.evidence === null ? [] : [trial.evidence]));
  const counter = (name: string): number | null => sumOf(evidence, ({ server }) => server?.[name] ?? null);
  const used = (name: keyof ContainerUsage): number | null =>
    sumOf(evidence, ({ container }) => container?.[name] ?? null);
  const transactions = evidence.reduce((sum, one) => sum + one.transactions, 0);
  const each = (total: number | null): number | null =>
    total === null || transactions === 0 ? null : total / transactions;
  const [data, log] = [counter('Innodb_data_written'), counter('Innodb_os_log_written')];
  const written = data !== null && LOG_APART.test(facts?.version ?? '') ? data + (log ?? 0) : data;
  const block = used('blockWriteBytes');
  const requests = counter('Innodb_buffer_pool_read_requests');
  const misses = counter('Innodb_buffer_pool_reads');
  const cpu = used('cpuSeconds');
  const throttled = used('throttledSeconds');
  return {
    statements: figuresBy(STATEMENT_KINDS, totals, ({ statements }) => statements),
    transactionTypes: figuresBy(TPCC_TYPES, totals, ({ transactionTypes }) => transactionTypes),
    roundTripUs: medianOf(evidence.map(({ path }) => path.roundTripUs)),
    connectUs: medianOf(evidence.map(({ path }) => path.connectUs)),
    flushUs: facts?.flush?.meanUs ?? null,
    serverBytesWritten: each(written),
    logBytesWritten: each(log),
    // Kernels that don't attribute writes to a container report 0 while its server writes.
    containerBytesWritten: block === 0 && written !== 0 ? null : each(block),
    containerBytesRead: each(used('blockReadBytes')),
    hostBytesWritten: each(sumOf(evidence, ({ hostBytesWritten }) => hostBytesWritten)),
    fsyncs: each(counter('Innodb_data_fsyncs')),
    pageReads: each(misses),
    hitRatio: requests === null || misses === null || requests === 0 ? null : 1 - misses / requests,
    rowLockWaits: each(counter('Innodb_row_lock_waits')),
    diskTables: each(counter('Created_tmp_disk_tables')),
    cpuMs: each(cpu === null ? null : cpu * 1000),
    throttledShare: cpu === null || throttled === null || cpu === 0 ? null : throttled / cpu,
    memoryBytes: medianOf(evidence.flatMap(({ memoryBytes }) => memoryBytes ?? [])),
  };
}

/** Latency by key over all trials that timed any. */
function figuresBy<K extends string>(
  keys: readonly K[],
  trials: readonly Totals[],
  pick: (totals: Totals) => Partial<Record<K, string>>,
): Partial<Record<K, StatementFigures>> {
  const known = trials.filter((totals) => Object.keys(pick(totals)).length > 0);
  const transactions = known.reduce((sum, one) => sum + one.transactions, 0);
  const figures: Partial<Record<K, StatementFigures>> = {};
  if (transactions === 0) return figures;
  for (const key of keys) {
    const latency = summarizeHistogram(mergeHistograms(known.map((totals) => pick(totals)[key] ?? '')));
    if (latency !== null) figures[key] = { ...latency, each: latency.count / transactions };
  }
  return figures;
}

export function whyDifferent(
  scenario: TrialFigures,
  baseline: TrialFigures,
  verdict: 'slower' | 'faster',
): Why | null {
  if (verdict === 'slower') {
    const cause = whySlower(scenario, baseline);
    return cause && { ...cause, slower: 'scenario' };
  }
  const cause = whySlower(baseline, scenario);
  return cause && { ...turned(cause), slower: 'baseline' };
}

function turned(cause: WhyCause): WhyCause {
  if (!('fromUs' in cause)) return cause;
  const ends = { fromUs: cause.toUs, toUs: cause.fromUs };
  if (cause.cause === 'round-trip') return { ...cause, ...ends };
  const { flush } = cause;
  return { ...cause, ...ends, flush: flush && { fromUs: flush.toUs, toUs: flush.fromUs } };
}

function whySlower(slow: TrialFigures, fast: TrialFigures): WhyCause | null {
  const parts = STATEMENT_KINDS.flatMap((kind): Part[] => {
    const [a, b] = [slow.statements[kind], fast.statements[kind]];
    return a === undefined || b === undefined
      ? []
      : [{ kind, slow: a, fast: b, us: b.each * (a.meanUs - b.meanUs) }];
  });
  const difference = parts.reduce((sum, { us }) => sum + us, 0);
  const most = parts.sort((a, b) => b.us - a.us)[0];
  if (most === undefined || difference <= 0) return null;
  const throttled = slow.throttledShare ?? 0;
  if (throttled >= THROTTLED && throttled > 2 * (fast.throttledShare ?? 0)) {
    return { cause: 'throttled', share: throttled };
  }
  const statements = parts.reduce((sum, part) => sum + part.fast.each, 0);
  if (slow.roundTripUs !== null && fast.roundTripUs !== null) {
    const share = (statements * (slow.roundTripUs - fast.roundTripUs)) / difference;
    if (share >= MOST) {
      return {
        cause: 'round-trip',
        share: Math.min(1, share),
        statements,
        fromUs: fast.roundTripUs,
        toUs: slow.roundTripUs,
      };
    }
  }
  const leastUs = Math.min(...parts.map((part) => part.slow.meanUs - part.fast.meanUs));
  const even = (statements * leastUs) / difference;
  if (parts.length > 1 && even >= MOST)
    return { cause: 'every-statement', share: Math.min(1, even), leastUs };
  const share = most.us / difference;
  return {
    cause: share >= MOST ? 'kind' : 'mixed',
    kind: most.kind,
    share: Math.min(1, share),
    fromUs: most.fast.p95Us,
    toUs: most.slow.p95Us,
    readsStorage: isRead(most.kind) && (slow.pageReads ?? 0) > 0.5,
    flush:
      isRead(most.kind) || slow.flushUs === null || fast.flushUs === null
        ? null
        : { fromUs: fast.flushUs, toUs: slow.flushUs },
  };
}

interface Part {
  kind: StatementKind;
  slow: StatementFigures;
  fast: StatementFigures;
  /** Part of the difference of a mean transaction, µs. */
  us: number;
}

function isRead(kind: StatementKind): boolean {
  return kind === 'point' || kind === 'range' || kind === 'lock';
}

function sumOf(
  evidence: readonly TrialEvidence[],
  pick: (one: TrialEvidence) => number | null,
): number | null {
  let sum: number | null = null;
  for (const one of evidence) {
    const value = pick(one);
    // A sum over some trials would be divided by the transactions of all.
    if (value === null) return null;
    sum = (sum ?? 0) + value;
  }
  return sum;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

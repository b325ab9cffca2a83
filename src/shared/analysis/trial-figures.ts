import { type Latency, latencyOf } from '../histogram/histogram.ts';
import type { FlushTimes, ServerFacts } from '../model/events.ts';
import type { ContainerUsage, TrialEvidence } from '../model/evidence.ts';
import type { Totals } from '../model/measurements.ts';
import { STATEMENT_KINDS, type StatementKind } from '../model/names.ts';
import { TPCC_TYPES, type TpccType } from '../model/workload.ts';

export interface StatementFigures extends Latency {
  /** Time per transaction, µs. */
  each: number;
}

export interface TrialFigures {
  statements: Partial<Record<StatementKind, StatementFigures>>;
  /** `each` is the share of all transactions. */
  transactionTypes: Partial<Record<TpccType, StatementFigures>>;
  /** Lower quartiles without load: `SELECT 1` on an open connection; TCP connection plus login. */
  roundTripUs: number | null;
  connectUs: number | null;
  /** Null if unknown. */
  startMs: number | null;
  /** 4 KiB written and flushed in the data directory: median and 99th percentile. */
  flushUs: number | null;
  flushP99Us: number | null;
  /** InnoDB's writes (pages, doublewrite, log), the log's part, and writes to block devices. */
  serverBytesWritten: number | null;
  logBytesWritten: number | null;
  containerBytesWritten: number | null;
  /** All programs of the machine. */
  hostBytesWritten: number | null;
  fsyncs: number | null;
  /** Null if not counted. */
  schemaStatements: number | null;
  writeStatements: number | null;
  readStatements: number | null;
  commits: number | null;
  /** Reads from storage; share of page requests without a read. */
  pageReads: number | null;
  hitRatio: number | null;
  rowLockWaits: number | null;
  /** Throttled time is relative to the container's CPU time. */
  cpuMs: number | null;
  throttledShare: number | null;
  memoryBytes: number | null;
}

/** MariaDB 11 doesn't count the log in Innodb_data_written (seen with 11.8.9). */
const LOG_APART = /^(1[1-9]|[2-9]\d)\..*MariaDB/;

export const STATEMENT_COUNTERS = {
  schema: [
    ...['Com_create_table', 'Com_alter_table', 'Com_drop_table', 'Com_truncate', 'Com_create_index'],
    ...['Com_drop_index', 'Com_create_trigger', 'Com_create_view', 'Com_create_procedure'],
  ],
  writes: [
    ...['Com_insert', 'Com_insert_select', 'Com_replace', 'Com_replace_select', 'Com_load', 'Com_update'],
    ...['Com_update_multi', 'Com_delete', 'Com_delete_multi'],
  ],
  reads: ['Com_select'],
} as const;

interface Measured {
  totals: Totals;
  evidence: TrialEvidence | null;
}

export function trialFigures(
  trials: readonly Measured[],
  facts: Pick<ServerFacts, 'version' | 'startMs'> | null = null,
  flush: FlushTimes | null = null,
): TrialFigures {
  const totals = trials.map((trial) => trial.totals);
  const evidence = trials.flatMap((trial) => (trial.evidence === null ? [] : [trial.evidence]));
  const counter = (name: string): number | null => sumOf(evidence, ({ server }) => server?.[name] ?? null);
  const allOf = (names: readonly string[]): number | null => sumOf(names.map(counter), (one) => one);
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
    ...pathFigures(trials),
    startMs: facts?.startMs ?? null,
    flushUs: flush?.medianUs ?? null,
    flushP99Us: flush?.p99Us ?? null,
    serverBytesWritten: each(written),
    logBytesWritten: each(log),
    // Some kernels report 0 for a container that writes.
    containerBytesWritten: block === 0 && written !== 0 ? null : each(block),
    hostBytesWritten: each(sumOf(evidence, ({ hostBytesWritten }) => hostBytesWritten)),
    fsyncs: each(counter('Innodb_data_fsyncs')),
    schemaStatements: each(allOf(STATEMENT_COUNTERS.schema)),
    writeStatements: each(allOf(STATEMENT_COUNTERS.writes)),
    readStatements: each(allOf(STATEMENT_COUNTERS.reads)),
    commits: each(counter('Handler_commit')),
    pageReads: each(misses),
    hitRatio: requests === null || misses === null || requests === 0 ? null : 1 - misses / requests,
    rowLockWaits: each(counter('Innodb_row_lock_waits')),
    cpuMs: each(cpu === null ? null : cpu * 1000),
    throttledShare: cpu === null || throttled === null || cpu === 0 ? null : throttled / cpu,
    memoryBytes: medianOf(evidence.flatMap(({ memoryBytes }) => memoryBytes ?? [])),
  };
}

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
    const latency = latencyOf(known.map((totals) => pick(totals)[key] ?? ''));
    if (latency !== null) figures[key] = { ...latency, each: latency.count / transactions };
  }
  return figures;
}

function sumOf<T>(all: readonly T[], pick: (one: T) => number | null): number | null {
  let sum: number | null = null;
  for (const one of all) {
    const value = pick(one);
    // A sum over some trials would be divided by the transactions of all.
    if (value === null) return null;
    sum = (sum ?? 0) + value;
  }
  return sum;
}

/** A busy moment hardly changes this quartile; NaN for no values. */
export function lowerQuartile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 4)] ?? NaN;
}

export function pathFigures(
  trials: readonly Pick<Measured, 'evidence'>[],
): Pick<TrialFigures, 'roundTripUs' | 'connectUs'> {
  const paths = trials.flatMap(({ evidence }) => evidence?.path ?? []);
  const of = (values: number[]): number | null => (values.length === 0 ? null : lowerQuartile(values));
  return {
    roundTripUs: of(paths.map((one) => one.roundTripUs)),
    connectUs: of(paths.map((one) => one.connectUs)),
  };
}

/** Null for no values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

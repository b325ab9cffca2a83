import { describe, expect, it } from 'vitest';
import {
  createHistogram,
  encodeHistogram,
  recordLatency,
} from '../../../../src/shared/histogram/histogram.ts';
import type { TrialEvidence } from '../../../../src/shared/model/evidence.ts';
import type { Totals } from '../../../../src/shared/model/measurements.ts';
import type { StatementKind } from '../../../../src/shared/model/names.ts';
import {
  STATEMENT_COUNTERS,
  trialFigures,
  type TrialFigures,
} from '../../../../src/shared/analysis/trial-figures.ts';
import { buildTotals } from '../../benchmark/load/samples.ts';

const TRANSACTIONS = 1000;
/** Statements of a transaction of oltp_read_write by kind. */
const EACH = { begin: 1, point: 10, range: 4, update: 2, delete: 1, insert: 1, commit: 1 } as const;

/** A trial in which every statement of a kind takes the same time, µs. */
function totals(times: Record<keyof typeof EACH, number>): Totals {
  const statements: Totals['statements'] = {};
  for (const [kind, each] of Object.entries(EACH) as [StatementKind & keyof typeof EACH, number][]) {
    const histogram = createHistogram();
    for (let one = 0; one < each * TRANSACTIONS; one++) recordLatency(histogram, times[kind]);
    statements[kind] = encodeHistogram(histogram);
  }
  return { ...buildTotals(), transactions: TRANSACTIONS, statements };
}

const evidence = (fields: Partial<TrialEvidence> = {}): TrialEvidence => ({
  transactions: 2 * TRANSACTIONS,
  trend: null,
  path: { connectUs: 900, roundTripUs: 100 },
  server: {
    Innodb_data_written: 40_000_000,
    Innodb_os_log_written: 8_000_000,
    Innodb_data_fsyncs: 4000,
    Innodb_buffer_pool_read_requests: 1_000_000,
    Innodb_buffer_pool_reads: 10_000,
  },
  container: {
    cpuSeconds: 4,
    throttledSeconds: 0,
    blockWriteBytes: 60_000_000,
  },
  memoryBytes: 300,
  hostBytesWritten: null,
  host: null,
  ...fields,
});

const TIMES = { begin: 100, point: 120, range: 200, update: 150, delete: 150, insert: 160, commit: 1000 };
const figures = (times = TIMES, fields: Partial<TrialEvidence> = {}): TrialFigures =>
  trialFigures([{ totals: totals(times), evidence: evidence(fields) }]);

describe('figures beside the throughput', () => {
  it('are per transaction of warm-up and measuring', () => {
    expect(figures()).toMatchObject({
      serverBytesWritten: 20_000,
      logBytesWritten: 4000,
      containerBytesWritten: 30_000,
      fsyncs: 2,
      pageReads: 5,
      hitRatio: 0.99,
      cpuMs: 2,
      throttledShare: 0,
      roundTripUs: 100,
      connectUs: 900,
      memoryBytes: 300,
      hostBytesWritten: null,
    });
  });

  it('count the statements of a transaction by kind, with times from merged histograms', () => {
    const trials = [TIMES, { ...TIMES, commit: 3000 }].map((times) => ({
      totals: totals(times),
      evidence: evidence(),
    }));
    const { statements } = trialFigures(trials);
    expect(statements.point?.each).toBe(10);
    expect(statements.commit).toMatchObject({ each: 1, count: 2 * TRANSACTIONS });
    expect(statements.commit?.meanUs).toBeCloseTo(2000, -1);
  });

  it('has the log in what the server wrote, also where it is counted apart', () => {
    const trials = [{ totals: totals(TIMES), evidence: evidence() }];
    const of = (version: string) => trialFigures(trials, { version, startMs: null }).serverBytesWritten;
    expect(of('8.4.10')).toBe(20_000);
    expect(of('11.8.9-MariaDB-1')).toBe(24_000);
  });

  it('are unknown where a kernel attributes no writes to a container whose server wrote', () => {
    const { container, server } = evidence();
    if (container === null) throw new Error('evidence has a container');
    const none = { ...container, blockWriteBytes: 0 };
    const idle = { ...server, Innodb_data_written: 0, Innodb_os_log_written: 0 };
    expect(figures(TIMES, { container: none }).containerBytesWritten).toBeNull();
    expect(figures(TIMES, { container: none, server: idle }).containerBytesWritten).toBe(0);
  });

  it('are unknown when a trial has none, rather than divided by too much', () => {
    const trials = [evidence(), evidence({ server: null })].map((one) => ({
      totals: totals(TIMES),
      evidence: one,
    }));
    expect(trialFigures(trials)).toMatchObject({ serverBytesWritten: null, containerBytesWritten: 30_000 });
    expect(trialFigures([{ totals: buildTotals(), evidence: null }])).toMatchObject({
      statements: {},
      roundTripUs: null,
      fsyncs: null,
      schemaStatements: null,
      writeStatements: null,
      readStatements: null,
      commits: null,
    });
  });
});

it('counts the statements of a task by class, and its commits', () => {
  const counted = Object.fromEntries(
    Object.values(STATEMENT_COUNTERS).flatMap((names) => names.map((one) => [one, 0])),
  );
  const server = {
    ...counted,
    Com_create_table: 4000,
    Com_alter_table: 2000,
    Com_load: 6000,
    Com_select: 2000,
  };
  expect(figures(TIMES, { server: { ...server, Handler_commit: 8000 } })).toMatchObject({
    schemaStatements: 3,
    writeStatements: 3,
    readStatements: 1,
    commits: 4,
  });
});

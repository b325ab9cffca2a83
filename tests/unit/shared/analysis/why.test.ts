import { describe, expect, it } from 'vitest';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import {
  createHistogram,
  encodeHistogram,
  recordLatency,
} from '../../../../src/shared/histogram/histogram.ts';
import type { TrialFigures } from '../../../../src/shared/model/analysis.ts';
import type { TrialEvidence } from '../../../../src/shared/model/evidence.ts';
import type { StatementKind, Totals } from '../../../../src/shared/model/measurements.ts';
import { trialFigures, whyDifferent } from '../../../../src/shared/analysis/why.ts';
import { whyText } from '../../../../src/shared/words/why-wording.ts';
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
    blockReadBytes: 0,
    blockWriteBytes: 60_000_000,
    networkReceivedBytes: 1,
    networkSentBytes: 1,
  },
  memoryBytes: 300,
  host: null,
  ...fields,
});

const TIMES = { begin: 100, point: 120, range: 200, update: 150, delete: 150, insert: 160, commit: 1000 };
const figures = (times = TIMES, fields: Partial<TrialEvidence> = {}): TrialFigures =>
  trialFigures([{ totals: totals(times), evidence: evidence(fields) }]);
const t = createTranslator('en');
const told = (slow: TrialFigures, fast: TrialFigures): string => {
  const why = whyDifferent(slow, fast, 'slower');
  return why === null ? 'nothing' : whyText(why, t);
};

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
    });
  });
});

describe('why a scenario is slower', () => {
  it('names the kind of statement that makes most of the difference', () => {
    const slow = figures({ ...TIMES, commit: 24_000, update: 160 });
    expect(told(slow, figures())).toBe(
      'COMMIT: 95th percentile 1.00 ms → 24.0 ms; that is 100 % of the difference.',
    );
  });

  it('names the round trip when the path alone explains it', () => {
    const times = Object.fromEntries(
      Object.entries(TIMES).map(([kind, us]) => [kind, us + 300]),
    ) as typeof TIMES;
    const slow = figures(times, { path: { connectUs: 2000, roundTripUs: 380 } });
    expect(told(slow, figures())).toBe(
      'the round trip, 100 µs → 380 µs before any load; over the 20 statements of a transaction that is 93 % of the difference.',
    );
  });

  it('says that every statement waits when the idle path does not show it', () => {
    const times = Object.fromEntries(
      Object.entries(TIMES).map(([kind, us]) => [kind, us + 300]),
    ) as typeof TIMES;
    expect(told(figures(times), figures())).toMatch(
      /^every statement, whatever it does, takes at least \d+ µs longer; that is \d+ % of the difference\.$/,
    );
  });

  it('names reads from storage', () => {
    const slow = figures({ ...TIMES, range: 3000, point: 900 });
    expect(told(slow, figures())).toMatch(/^range reads: .* with pages read from storage; that is 59 %/);
  });

  it('names a throttled container before all else', () => {
    const slow = figures(
      { ...TIMES, commit: 24_000 },
      { container: { ...(evidence().container ?? never()), throttledSeconds: 2 } },
    );
    expect(told(slow, figures())).toContain('waited for its CPU quota for 50 %');
  });

  it('says so when nothing makes most of it', () => {
    const slow = figures({ ...TIMES, commit: 2000, point: 200, range: 400 });
    expect(told(slow, figures())).toMatch(
      /^nothing alone\. The largest part, 38 % of the difference, is COMMIT/,
    );
  });

  it('knows nothing where the statements are not known, or where they were no slower', () => {
    expect(whyDifferent(trialFigures([]), figures(), 'slower')).toBeNull();
    expect(whyDifferent(figures(), figures({ ...TIMES, commit: 5000 }), 'slower')).toBeNull();
  });
});

describe('why a scenario is faster', () => {
  const toldFaster = (fast: TrialFigures, slow: TrialFigures): string => {
    const why = whyDifferent(fast, slow, 'faster');
    return why === null ? '' : whyText(why, createTranslator('en'));
  };
  const later = Object.fromEntries(
    Object.entries(TIMES).map(([kind, us]) => [kind, us + 300]),
  ) as typeof TIMES;

  it('goes from the baseline to the scenario', () => {
    expect(toldFaster(figures(), figures({ ...TIMES, commit: 24_000 }))).toBe(
      'COMMIT: 95th percentile 24.0 ms → 1.00 ms; that is 100 % of the difference.',
    );
    const slow = figures(later, { path: { connectUs: 2000, roundTripUs: 380 } });
    expect(toldFaster(figures(), slow)).toMatch(/^the round trip, 380 µs → 100 µs before any load/);
  });

  it('says of whom what has no direction', () => {
    expect(toldFaster(figures(), figures(later))).toMatch(/takes at least \d+ µs less;/);
    const reading = figures({ ...TIMES, range: 3000, point: 900 });
    expect(toldFaster(figures(), reading)).toContain('where the baseline reads pages from storage');
    const throttled = figures(
      { ...TIMES, commit: 24_000 },
      { container: { ...(evidence().container ?? never()), throttledSeconds: 2 } },
    );
    expect(toldFaster(figures(), throttled)).toContain('the baseline’s container was throttled');
  });
});

function never(): never {
  throw new Error('no container');
}

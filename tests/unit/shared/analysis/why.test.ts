import fc from 'fast-check';
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
import { sharedBy, whyDifferent, whyTaskDiffers } from '../../../../src/shared/analysis/why.ts';
import { makePlan } from '../../builders.ts';
import { IS_FULL } from '../../../helpers/tier.ts';
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
/** Every statement takes 300 µs longer. */
const LATER = Object.fromEntries(Object.entries(TIMES).map(([kind, us]) => [kind, us + 300])) as typeof TIMES;
const figures = (times = TIMES, fields: Partial<TrialEvidence> = {}): TrialFigures =>
  trialFigures([{ totals: totals(times), evidence: evidence(fields) }]);
const throttled = () =>
  figures(
    { ...TIMES, commit: 24_000 },
    { container: { ...(evidence().container ?? never()), throttledSeconds: 2 } },
  );
const slower = (slow: TrialFigures, fast: TrialFigures) => whyDifferent(slow, fast, 'slower');
const faster = (fast: TrialFigures, slow: TrialFigures) => whyDifferent(fast, slow, 'faster');
const about = (value: number): number => expect.closeTo(value, 2) as number;
/** Times are kept in a histogram, to a hundredth or so. */
const around = (us: number): unknown => expect.toSatisfy((own: number) => Math.abs(own / us - 1) < 0.02);

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

describe('why a scenario is slower', () => {
  it('names the kind of statement that makes most of the difference', () => {
    const slow = figures({ ...TIMES, commit: 24_000, update: 160 });
    expect(slower(slow, figures())).toMatchObject({
      cause: 'kind',
      kind: 'commit',
      slower: 'scenario',
      share: about(1),
      fromUs: around(1000),
      toUs: around(24_000),
      readsStorage: false,
    });
  });

  it('names the round trip when the path alone explains it', () => {
    const slow = figures(LATER, { path: { connectUs: 2000, roundTripUs: 380 } });
    expect(slower(slow, figures())).toMatchObject({
      cause: 'round-trip',
      share: about(0.93),
      statements: 20,
      fromUs: 100,
      toUs: 380,
    });
  });

  it.each([
    ['explain more than the difference', 100, 900],
    ['take longer than a whole transaction', 1000, 1200],
  ])('leaves out round trips that %s', (_, fast, slow) => {
    const path = (roundTripUs: number) => ({ path: { connectUs: 2000, roundTripUs } });
    expect(slower(figures(LATER, path(slow)), figures(TIMES, path(fast)))).toMatchObject({
      cause: 'every-statement',
    });
  });

  it('never explains more than the difference', () => {
    const us = fc.integer({ min: 50, max: 5000 });
    const times = fc.record({
      ...{ begin: us, point: us, range: us, update: us, delete: us, insert: us, commit: us },
    });
    const side = fc.record({ times, roundTripUs: us, throttled: fc.constantFrom(0, 20) });
    const own = ({
      times: each,
      roundTripUs,
      throttled,
    }: {
      times: typeof TIMES;
      roundTripUs: number;
      throttled: number;
    }) =>
      figures(each, {
        path: { connectUs: 900, roundTripUs },
        container: { ...(evidence().container ?? never()), throttledSeconds: throttled },
      });
    const task = fc.record({
      taskUs: us,
      cpuMs: fc.double({ min: 0, max: 9, noNaN: true }),
      fsyncs: us,
      flushUs: us,
    });
    fc.assert(
      fc.property(fc.tuple(side, side, task, task), (drawn) => {
        const [one, other, task, otherTask] = drawn;
        const whys = [
          slower(own(one), own(other)),
          faster(own(one), own(other)),
          ...(['slower', 'faster'] as const).map((verdict) => whyTaskDiffers(task, otherTask, verdict)),
        ];
        for (const why of whys) {
          if (why === null) continue;
          expect(why.share).toBeGreaterThan(0);
          expect(why.share).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
      { numRuns: IS_FULL ? 2000 : 200 },
    );
  });

  it('knows no round trip and no flush of what both scenarios share', () => {
    const [own, volume, host] = makePlan({
      scenarios: [
        { storage: 'bind-mount', path: 'published-port' },
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'bind-mount', path: 'host-network' },
      ],
    }).scenarios;
    expect(sharedBy(own, volume)).toEqual({ roundTripUs: null });
    expect(sharedBy(own, host)).toEqual({ flushUs: null });
    expect(sharedBy(own, own)).toEqual({ roundTripUs: null, flushUs: null });
  });

  it('says that every statement waits when the idle path does not show it', () => {
    expect(slower(figures(LATER), figures())).toMatchObject({
      cause: 'every-statement',
      slower: 'scenario',
      leastUs: around(300),
    });
  });

  it('names reads from storage', () => {
    const slow = figures({ ...TIMES, range: 3000, point: 900 });
    expect(slower(slow, figures())).toMatchObject({
      ...{ cause: 'kind', kind: 'range', readsStorage: true, slower: 'scenario' },
      share: about(0.59),
    });
  });

  it('names a throttled container before all else', () => {
    expect(slower(throttled(), figures())).toEqual({
      cause: 'throttled',
      share: about(1 / 3),
      slower: 'scenario',
    });
  });

  it('says so when nothing makes most of it', () => {
    const slow = figures({ ...TIMES, commit: 2000, point: 200, range: 400 });
    expect(slower(slow, figures())).toMatchObject({ cause: 'mixed', kind: 'commit', share: about(0.38) });
  });

  it('knows nothing where the statements are not known, or where they were no slower', () => {
    expect(whyDifferent(trialFigures([]), figures(), 'slower')).toBeNull();
    expect(whyDifferent(figures(), figures({ ...TIMES, commit: 5000 }), 'slower')).toBeNull();
  });
});

describe('why a scenario is faster', () => {
  it('goes from the baseline to the scenario', () => {
    expect(faster(figures(), figures({ ...TIMES, commit: 24_000 }))).toMatchObject({
      ...{ cause: 'kind', kind: 'commit', slower: 'baseline' },
      fromUs: around(24_000),
      toUs: around(1000),
    });
    const slow = figures(LATER, { path: { connectUs: 2000, roundTripUs: 380 } });
    expect(faster(figures(), slow)).toMatchObject({ cause: 'round-trip', fromUs: 380, toUs: 100 });
  });

  it('says of whom what has no direction', () => {
    expect(faster(figures(), figures(LATER))).toMatchObject({ cause: 'every-statement', slower: 'baseline' });
    const reading = figures({ ...TIMES, range: 3000, point: 900 });
    expect(faster(figures(), reading)).toMatchObject({ readsStorage: true, slower: 'baseline' });
    expect(faster(figures(), throttled())).toEqual({
      cause: 'throttled',
      share: about(1 / 3),
      slower: 'baseline',
    });
  });
});

function never(): never {
  throw new Error('no container');
}

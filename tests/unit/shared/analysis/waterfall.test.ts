import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { START_PARTS, type StartPart } from '../../../../src/shared/model/evidence.ts';
import { STATEMENT_KINDS, type StatementKind } from '../../../../src/shared/model/names.ts';
import type { StatementFigures } from '../../../../src/shared/analysis/trial-figures.ts';
import {
  partsOfTime,
  timeByKey,
  type TimePart,
  waterfallOf,
} from '../../../../src/shared/analysis/waterfall.ts';
import { IS_FULL } from '../../../helpers/tier.ts';

type Timed = Parameters<typeof partsOfTime>[0];

const NUM_RUNS = { numRuns: IS_FULL ? 5000 : 500 };
const figures = (each: number, meanUs: number): StatementFigures => ({
  ...{ each, meanUs, count: 1, minUs: meanUs, p50Us: meanUs, p95Us: meanUs, p99Us: meanUs, maxUs: meanUs },
});
const STATEMENTS = {
  begin: figures(1, 150),
  point: figures(10, 200),
  range: figures(4, 300),
  update: figures(2, 250),
  commit: figures(1, 1000),
};
const UNKNOWN = { statements: {}, roundTripUs: null, fsyncs: null, flushUs: null, cpuMs: null };
const timed = (change: Partial<Timed> & { known?: Partial<Timed['figures']> } = {}): Timed => ({
  meanUs: 4850,
  figures: { ...UNKNOWN, statements: STATEMENTS, roundTripUs: 100, ...change.known },
  commitUs: 400,
  task: null,
  trials: [],
  ...change,
});
const task = (known: Partial<Timed['figures']>, meanUs = 10_000): Timed =>
  timed({ task: 'import', meanUs, known: { statements: {}, roundTripUs: null, ...known } });
const byKey = (own: Timed) => Object.fromEntries(timeByKey(partsOfTime(own)));
const sumOf = (parts: readonly { us: number }[]): number => parts.reduce((sum, { us }) => sum + us, 0);

describe('the parts of a mean transaction', () => {
  it('are its statements, with a round trip each, and the flushes that COMMIT waits for', () => {
    expect(byKey(timed())).toEqual({
      ...{ network: 1800, flush: 400 },
      ...{ begin: 50, read: 1800, write: 300, commit: 500 },
    });
  });

  it('wait for no longer than the fastest kind takes, and than a COMMIT takes beyond a BEGIN', () => {
    expect(byKey(timed({ known: { roundTripUs: 900 } }))['network']).toBe(18 * 150);
    expect(byKey(timed({ commitUs: 3000 }))['flush']).toBe(850);
    const { commit, ...others } = STATEMENTS;
    const notWaited = { ...others, commit: { ...commit, meanUs: 140 } };
    expect(byKey(timed({ known: { statements: notWaited } }))).not.toHaveProperty('flush');
  });

  it('have no flush without writes, and have it in writes without COMMIT', () => {
    const { begin, point, update, commit } = STATEMENTS;
    expect(byKey(timed({ known: { statements: { begin, point, commit } } }))).not.toHaveProperty('flush');
    const alone = timed({
      meanUs: 250,
      commitUs: 100,
      known: { statements: { update: { ...update, each: 1 } } },
    });
    expect(byKey(alone)).toEqual({ network: 100, flush: 100, write: 50 });
  });

  it('leave the rest of the mean, but not what is rounded', () => {
    expect(byKey(timed({ meanUs: 6000 }))['rest']).toBe(1150);
    expect(byKey(timed({ meanUs: 4851 }))).not.toHaveProperty('rest');
  });

  it('are none where no statement was timed', () => {
    expect(partsOfTime(timed({ known: { statements: {} } }))).toEqual([]);
  });
});

it('has the mean of each part of a start', () => {
  const start = (ms: number) => ({
    evidence: {
      start: Object.fromEntries(START_PARTS.map((part) => [part, ms])) as Record<StartPart, number>,
    },
  });
  const parts = partsOfTime(
    timed({
      task: 'ready',
      meanUs: 2000 * START_PARTS.length,
      trials: [start(1), start(3), { evidence: null }],
    }),
  );
  expect(parts.map(({ part, us }) => [part, us])).toEqual(START_PARTS.map((part) => [part, 2000]));
});

describe('the parts of a task', () => {
  it('are flushes, the server’s CPU time, and the rest', () => {
    expect(byKey(task({ fsyncs: 20, flushUs: 100, cpuMs: 3 }))).toEqual({
      flush: 2000,
      cpu: 3000,
      rest: 5000,
    });
  });

  it('are unknown where they would be more than the whole', () => {
    expect(byKey(task({ fsyncs: 200, flushUs: 100, cpuMs: 3 }))).toEqual({ cpu: 3000, rest: 7000 });
    expect(byKey(task({ fsyncs: 80, flushUs: 100, cpuMs: 3 }))).toEqual({ flush: 8000, rest: 2000 });
    expect(partsOfTime(task({ cpuMs: 30 }))).toEqual([]);
  });
});

const us = fc.double({ min: 0.1, max: 1e6, noNaN: true });
const maybe = fc.option(us);
const statements = fc
  .array(
    fc.tuple(
      fc.constantFrom<StatementKind[]>(...STATEMENT_KINDS),
      fc.double({ min: 0.01, max: 50, noNaN: true }),
      us,
    ),
  )
  .map((all) => Object.fromEntries(all.map(([kind, each, meanUs]) => [kind, figures(each, meanUs)])));
const starts = fc.array(
  fc.record({
    evidence: fc.record({
      start: fc.record(
        Object.fromEntries(START_PARTS.map((part) => [part, us])) as Record<StartPart, typeof us>,
      ),
    }),
  }),
);
const anything = fc.record({
  meanUs: us,
  figures: fc.record({ statements, roundTripUs: maybe, fsyncs: maybe, flushUs: maybe, cpuMs: maybe }),
  commitUs: maybe,
  task: fc.constantFrom(null, 'ready' as const, 'import' as const),
  trials: starts,
});

describe('of anything measured', () => {
  it('the parts are at least 0 and sum to the mean', () => {
    fc.assert(
      fc.property(anything, (own) => {
        const parts = partsOfTime(own);
        if (parts.length === 0) return;
        for (const one of parts) expect(one.us).toBeGreaterThan(0);
        expect(sumOf(parts) / own.meanUs).toBeCloseTo(1, 9);
      }),
      NUM_RUNS,
    );
  });

  it('what is said of a difference is never more than it, unless it says what goes the other way', () => {
    fc.assert(
      fc.property(anything, anything, (base, own) => {
        const [one, other] = [partsOfTime(base), partsOfTime({ ...own, task: base.task })];
        const waterfall = waterfallOf(compared(one, other));
        if (one.length === 0 || other.length === 0) {
          expect(waterfall?.largest ?? null).toBeNull();
          return;
        }
        const { largest } = waterfall ?? {};
        if (largest === undefined || largest === null) throw new Error('it differs');
        expect(largest.us).toBeCloseTo(sumOf(other) - sumOf(one), 6);
        const sign = Math.sign(largest.us);
        const isOpposed = largest.most.some((part) => part.us * sign < 0);
        const claimed = sumOf(largest.most.filter((part) => part.us * sign > 0)) * sign;
        if (!isOpposed) expect(claimed).toBeLessThanOrEqual(Math.abs(largest.us) * (1 + 1e-9));
      }),
      NUM_RUNS,
    );
  });
});

function compared(base: TimePart[], ...others: TimePart[][]) {
  const scenarios = [base, ...others].map((parts, index) => ({
    ...{ id: String(index), baselineId: '0', parts },
    verdict: index === 0 ? ('same' as const) : ('slower' as const),
  }));
  return { baselineId: '0', effects: [], scenarios };
}

describe('what is drawn', () => {
  const part = (us: number, key: TimePart['part'] = 'read'): TimePart[] => [{ part: key, wait: null, us }];

  it('is the baseline and what differs from it in one factor, else the first scenarios', () => {
    const all = compared(part(1), part(2), part(3));
    const effects = [
      {
        pairs: [
          { scenarioId: '2', referenceId: '0' },
          { scenarioId: '1', referenceId: '2' },
        ],
      },
    ];
    expect(waterfallOf({ ...all, effects })?.scenarioIds).toEqual(['0', '2']);
    expect(waterfallOf(all)?.scenarioIds).toEqual(['0', '1', '2']);
    expect(waterfallOf(compared([]))).toBeNull();
  });

  it('names the two parts that differ most in the largest conclusive difference', () => {
    const base = [...part(10), ...part(5, 'write'), ...part(1, 'begin')];
    const all = compared(base, [...part(14), ...part(7, 'write'), ...part(2, 'begin')], part(40));
    const scenarios = all.scenarios.map((one) =>
      one.id === '2' ? { ...one, verdict: 'same' as const } : one,
    );
    expect(waterfallOf({ ...all, scenarios })?.largest).toEqual({
      ...{ scenarioId: '1', us: 7 },
      most: [
        { key: 'read', us: 4 },
        { key: 'write', us: 2 },
      ],
    });
  });

  it('names what goes the other way where two would be more than the difference', () => {
    const base = [...part(10), ...part(10, 'write'), ...part(10, 'commit')];
    const own = [...part(13), ...part(12.5, 'write'), ...part(7.6, 'commit')];
    expect(waterfallOf(compared(base, own))?.largest?.most.map(({ key }) => key)).toEqual(['read', 'commit']);
  });
});

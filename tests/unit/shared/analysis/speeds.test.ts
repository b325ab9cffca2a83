import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { compareSpeeds, CONFIDENCE } from '../../../../src/shared/analysis/speeds.ts';
import { pooledSpeeds, sampleOf, samplesOf, type Speeds } from '../../../../src/shared/analysis/samples.ts';
import { type Amount, tps } from '../../../../src/shared/model/measurements.ts';
import { makeTotals } from '../../trial-builder.ts';

const SCENARIOS = ['base', 'other'].map((id) => ({
  id,
  isAaRepeat: false,
  baselineId: 'base',
  serverId: id,
}));

function ratioOf(base: readonly Amount[], other: readonly Amount[]) {
  const at = (amounts: readonly Amount[]) =>
    new Map(amounts.map((amount, index) => [sampleOf(1, index + 1), amount]));
  const speeds: Speeds = new Map([
    ['base', at(base)],
    ['other', at(other)],
  ]);
  const compared = compareSpeeds(SCENARIOS, pooledSpeeds(SCENARIOS, speeds), {
    ...{ confidence: CONFIDENCE, marginOf: () => 0.05 },
    baselineOf: () => 'base',
  });
  return compared.get('other')?.ratio ?? null;
}

function sum(amounts: readonly Amount[]): Amount {
  return {
    transactions: amounts.reduce((all, { transactions }) => all + transactions, 0),
    durationMs: amounts.reduce((all, { durationMs }) => all + durationMs, 0),
  };
}

const slice = fc.record({ transactions: fc.nat(2000), durationMs: fc.integer({ min: 500, max: 10_000 }) });
const slices = fc.tuple(
  fc.constant({ transactions: 400, durationMs: 1000 }),
  fc.constant({ transactions: 600, durationMs: 1000 }),
  slice,
  slice,
);

describe('a ratio of slices', () => {
  it('is the ratio of the throughputs that are shown, however noisy and long they are', () => {
    fc.assert(
      fc.property(slices, slices, (base, other) => {
        expect(ratioOf(base, other)?.value).toBeCloseTo(tps(sum(other)) / tps(sum(base)), 9);
      }),
    );
  });

  it('has an interval with a slice in which nothing ended, and is the reciprocal the other way round', () => {
    fc.assert(
      fc.property(slices, slices, (base, other) => {
        const idle = [...other, { transactions: 0, durationMs: 1000 }];
        const all = [...base, { transactions: 500, durationMs: 1000 }];
        const [there, back] = [ratioOf(all, idle), ratioOf(idle, all)];
        expect(there?.low).toBeLessThan(there?.value ?? 0);
        expect(there?.high).toBeGreaterThan(there?.value ?? Infinity);
        expect((there?.low ?? 0) * (back?.high ?? 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('cancels what a pass does to both', () => {
    const amountsOf = (factors: number[]) =>
      factors.map((factor) => ({ transactions: 1000 * factor, durationMs: 1000 }));
    const passes = amountsOf([1, 0.2, 7, 3]);
    const even = amountsOf([1, 1, 1, 1]);
    const against = (amounts: Amount[]) =>
      ratioOf(
        amounts,
        amounts.map((one) => ({ ...one, transactions: 0.9 * one.transactions })),
      );
    expect(against(passes)?.value).toBeCloseTo(0.9, 9);
    expect(against(passes)?.standardError).toBeCloseTo(against(even)?.standardError ?? 0, 9);
  });
});

it('a slice of no time is no sample', () => {
  const totals = makeTotals([], 8, {});
  const taken = [
    { pass: 1, position: 1, transactions: 0, durationMs: 0 },
    { pass: 2, position: 1, transactions: 9, durationMs: 1000 },
  ];
  expect(samplesOf({ round: 1, slices: taken, totals }).map(([sample]) => sample)).toEqual([sampleOf(1, 2)]);
});

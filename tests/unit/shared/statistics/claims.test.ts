import { describe, expect, it } from 'vitest';
import { claimsOf, differenceP, equivalenceP, holm } from '../../../../src/shared/statistics/claims.ts';
import {
  pairedRatio,
  verdictOf,
  type RatioEstimate,
} from '../../../../src/shared/statistics/paired-ratio.ts';

const verdictsOf = (estimates: readonly (RatioEstimate | null)[]) =>
  claimsOf(estimates, { alpha: 0.05, equivalence: 0.05 }).map(({ verdict }) => verdict);

/** Rounds whose log ratios are `center` ± `spread`. */
function estimate(center: number, spread: number, rounds = 5): RatioEstimate {
  const pairs = Array.from({ length: rounds }, (_, index) => ({
    scenario: 100 * Math.exp(Math.log(center) + spread * (index - (rounds - 1) / 2)),
    baseline: 100,
  }));
  const found = pairedRatio(pairs, 0.95);
  if (found === null) throw new Error('no ratio');
  return found;
}

describe('p values and intervals say the same', () => {
  it.each([
    [0.9, 0.02],
    [0.96, 0.02],
    [1, 0.005],
    [1, 0.03],
    [1.03, 0.004],
    [1.2, 0.1],
    [1.049, 0.001],
  ])('at a ratio of %d with a spread of %d', (center, spread) => {
    const one = estimate(center, spread);
    expect((differenceP(one) ?? 1) <= 0.05).toBe((one.low ?? 0) > 1 || (one.high ?? 2) < 1);
    expect((equivalenceP(one, 0.05) ?? 1) <= 0.05).toBe(verdictOf(one, 0.05) === 'same');
    expect(verdictsOf([one])).toEqual([verdictOf(one, 0.05)]);
  });

  it('without any scatter', () => {
    expect(differenceP(estimate(0.5, 0))).toBe(0);
    expect(differenceP(estimate(1, 0))).toBe(1);
    expect(verdictsOf([estimate(0.5, 0), estimate(1, 0)])).toEqual(['slower', 'same']);
  });
});

describe('holm', () => {
  it('rejects at the levels of an example done by hand, and stops at the first that is too large', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005], 0.06)).toEqual([0.02, 0.06, 0.03, 0.015]);
    expect(holm([0.01, 0.04, 0.03, 0.005], 0.05)).toEqual([0.05 / 3, null, null, 0.0125]);
  });

  it('leaves out what has no value', () => {
    expect(holm([null, 0.02, null, 0.9], 0.05)).toEqual([null, 0.025, null, null]);
  });

  it('takes each step at its level of this look', () => {
    expect(holm([0.01, 0.02], 0.05, (alpha) => alpha / 2)).toEqual([0.0125, 0.025]);
    expect(holm([0.02, 0.02], 0.05, (alpha) => alpha / 2)).toEqual([null, null]);
  });
});

describe('verdicts of several comparisons', () => {
  const narrow = estimate(0.93, 0.02);

  it('are not claimed from what can be chance among many', () => {
    expect(verdictOf(narrow, 0.05)).toBe('slower');
    const others = Array.from({ length: 7 }, () => estimate(1, 0.1));
    expect(verdictsOf([narrow, ...others])[0]).toBe('inconclusive');
  });

  it('stand where the difference is large', () => {
    const others = Array.from({ length: 7 }, () => estimate(1, 0.1));
    expect(verdictsOf([estimate(0.5, 0.02), ...others])[0]).toBe('slower');
  });

  it('are inconclusive without an interval, which then counts for nothing', () => {
    expect(verdictsOf([narrow, null, estimate(1, 0.1, 1)])).toEqual([
      'slower',
      'inconclusive',
      'inconclusive',
    ]);
  });
});

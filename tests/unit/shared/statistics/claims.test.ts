import { describe, expect, it } from 'vitest';
import type { RatioEstimate } from '../../../../src/shared/model/analysis.ts';
import { differenceP, equivalenceP, holm, verdictsOf } from '../../../../src/shared/statistics/claims.ts';
import { pairedRatio, verdictOf } from '../../../../src/shared/statistics/paired-ratio.ts';

const OPTIONS = { alpha: 0.05, equivalence: 0.05 };

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
    expect(verdictsOf([one], OPTIONS)).toEqual([verdictOf(one, 0.05)]);
  });

  it('without any scatter', () => {
    expect(differenceP(estimate(0.5, 0))).toBe(0);
    expect(differenceP(estimate(1, 0))).toBe(1);
    expect(verdictsOf([estimate(0.5, 0), estimate(1, 0)], OPTIONS)).toEqual(['slower', 'same']);
  });
});

describe('holm', () => {
  it('gives the values of a published example', () => {
    // Holm's procedure by hand: sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1, never falling.
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((value, index) => expect(adjusted[index]).toBeCloseTo(value, 12));
  });

  it('leaves out what has no value, and never exceeds 1', () => {
    expect(holm([null, 0.04, null, 0.9])).toEqual([null, 0.08, null, 0.9]);
    expect(holm([0.7, 0.8])).toEqual([1, 1]);
  });
});

describe('verdicts of several comparisons', () => {
  const narrow = estimate(0.93, 0.02);

  it('are not claimed from what can be chance among many', () => {
    expect(verdictOf(narrow, 0.05)).toBe('slower');
    const others = Array.from({ length: 7 }, () => estimate(1, 0.1));
    expect(verdictsOf([narrow, ...others], OPTIONS)[0]).toBe('inconclusive');
  });

  it('stand where the difference is large', () => {
    const others = Array.from({ length: 7 }, () => estimate(1, 0.1));
    expect(verdictsOf([estimate(0.5, 0.02), ...others], OPTIONS)[0]).toBe('slower');
  });

  it('are inconclusive without an interval, which then counts for nothing', () => {
    expect(verdictsOf([narrow, null, estimate(1, 0.1, 1)], OPTIONS)).toEqual([
      'slower',
      'inconclusive',
      'inconclusive',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { claimsOf, holm } from '../../../../src/shared/statistics/claims.ts';
import { pairedRatio } from '../../../../src/shared/statistics/paired-ratio.ts';
import { type Estimate, studentEstimate } from '../../../../src/shared/statistics/estimate.ts';

const verdictsOf = (estimates: readonly (Estimate | null)[], margin = 0.05) =>
  claimsOf(
    estimates.map((one) => ({ estimate: one, margin })),
    { alpha: 0.05 },
  ).map(({ verdict }) => verdict);

/** Rounds whose log ratios are `center` ± `spread`. */
function estimate(center: number, spread: number, rounds = 5): Estimate {
  const pairs = Array.from({ length: rounds }, (_, index) => ({
    scenario: 100 * Math.exp(Math.log(center) + spread * (index - (rounds - 1) / 2)),
    baseline: 100,
  }));
  const found = pairedRatio(pairs, 0.95);
  if (found === null) throw new Error('no ratio');
  return studentEstimate(found);
}

/** An estimate with this interval at this two-sided error probability. */
function withBounds(low: number, high: number, level: number): Estimate {
  const unit = { value: 1, standardError: 1, degrees: 9, samples: 10, pairedRounds: 10 };
  const reach = Math.log(studentEstimate(unit).bounds(level)?.[1] ?? NaN);
  const standardError = Math.log(high / low) / 2 / reach;
  return studentEstimate({ ...unit, value: Math.sqrt(low * high), standardError });
}

describe('a verdict', () => {
  it.each([
    [0.97, 1.03, 0.05, true],
    // Certain, but too small to matter.
    [0.96, 0.99, 0.05, true],
    [1.01, 1.04, 0.05, true],
    [0.94, 1.01, 0.05, false],
    [0.99, 1.06, 0.05, false],
    [1 / 1.05 + 1e-9, 1.05 - 1e-9, 0.05, true],
    [1 / 1.05 - 1e-9, 1.05 + 1e-9, 0.05, false],
    [0.92, 1.08, 0.1, true],
  ])('is "same" if the 90 %% interval, here %d … %d, lies within ±%d: %s', (low, high, margin, isSame) => {
    expect(verdictsOf([withBounds(low, high, 0.1)], margin)[0] === 'same').toBe(isSame);
  });

  it.each([
    [0.4, 0.6, 'slower'],
    [1.2, 1.3, 'faster'],
    [0.8, 1.2, 'inconclusive'],
    [0.94, 0.999, 'slower'],
    [1.001, 1.07, 'faster'],
    [0.9, 1.001, 'inconclusive'],
    [0.999, 1.1, 'inconclusive'],
  ])('otherwise follows from the 95 %% interval: %d … %d is %s', (low, high, verdict) => {
    expect(verdictsOf([withBounds(low, high, 0.05)])).toEqual([verdict]);
  });

  it('comes with the level of the interval that it follows from', () => {
    const [same] = claimsOf([{ estimate: withBounds(0.97, 1.03, 0.1), margin: 0.05 }], { alpha: 0.05 });
    expect(same).toEqual({ verdict: 'same', level: 0.1 });
    const [slower] = claimsOf([{ estimate: estimate(0.5, 0.01), margin: 0.05 }], { alpha: 0.05 });
    expect(slower).toEqual({ verdict: 'slower', level: 0.05 });
  });

  it('is certain without any scatter', () => {
    expect(estimate(0.5, 0).differenceP()).toBe(0);
    expect(estimate(1, 0).differenceP()).toBe(1);
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
    expect(verdictsOf([narrow])).toEqual(['slower']);
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

import { describe, expect, it } from 'vitest';
import { pairedRatio } from '../../../../src/shared/statistics/paired-ratio.ts';

describe('pairedRatio', () => {
  it('gives the geometric mean and the t interval of an example done by hand', () => {
    // Log ratios ln 0.5 + {−0.1, 0, 0.1}: s = 0.1, standard error 0.1/√3, t(0.975, 2) = 4.30265.
    const pairs = [-0.1, 0, 0.1].map((shift) => ({ scenario: 400 * Math.exp(shift), baseline: 800 }));
    const estimate = pairedRatio(pairs, 0.95);
    const reach = (4.302653 * 0.1) / Math.sqrt(3);
    expect(estimate?.value).toBeCloseTo(0.5, 12);
    expect(estimate?.low).toBeCloseTo(0.5 * Math.exp(-reach), 6);
    expect(estimate?.high).toBeCloseTo(0.5 * Math.exp(reach), 6);
    expect(estimate).toMatchObject({ confidence: 0.95, degrees: 2, samples: 3, pairedRounds: 3 });
  });

  it('is wider with more confidence', () => {
    const pairs = [1, 1.1, 0.95, 1.02].map((scenario) => ({ scenario, baseline: 1 }));
    const [narrow, wide] = [pairedRatio(pairs, 0.9), pairedRatio(pairs, 0.99)];
    expect(wide?.low ?? 1).toBeLessThan(narrow?.low ?? 0);
    expect(wide?.high ?? 0).toBeGreaterThan(narrow?.high ?? 9);
  });

  it('has no bounds with one or two pairs and is nothing with none', () => {
    for (const samples of [1, 2]) {
      const pairs = Array.from({ length: samples }, () => ({ scenario: 50, baseline: 100 }));
      expect(pairedRatio(pairs, 0.95)).toEqual({
        ...{ value: 0.5, low: null, high: null, standardError: null, degrees: 0, confidence: 0.95 },
        ...{ samples, pairedRounds: samples },
      });
    }
    expect(pairedRatio([], 0.95)).toBeNull();
  });

  it('drops a round in which one side is idle', () => {
    for (const idle of [
      { scenario: 0, baseline: 100 },
      { scenario: 90, baseline: 0 },
    ]) {
      const pairs = [idle, { scenario: 90, baseline: 100 }];
      expect(pairedRatio(pairs, 0.95)).toMatchObject({ value: 0.9, pairedRounds: 1 });
    }
  });
});

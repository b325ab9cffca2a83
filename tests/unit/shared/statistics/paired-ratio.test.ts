import { describe, expect, it } from 'vitest';
import { equivalenceZone, pairedRatio, verdictOf } from '../../../../src/shared/statistics/paired-ratio.ts';

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

describe('verdictOf', () => {
  it('calls exactly the zone of equivalence the same', () => {
    const [low, high] = equivalenceZone(0.05);
    expect(verdictOf({ low, high }, 0.05)).toBe('same');
    expect(verdictOf({ low: low - 1e-9, high: 1.001 }, 0.05)).toBe('inconclusive');
    expect(verdictOf({ low: 0.999, high: high + 1e-9 }, 0.05)).toBe('inconclusive');
  });

  it.each([
    [0.4, 0.6, 'slower'],
    [1.2, 1.3, 'faster'],
    [0.8, 1.2, 'inconclusive'],
    [0.97, 1.03, 'same'],
    // Certain, but too small to matter.
    [0.96, 0.99, 'same'],
    [1.01, 1.04, 'same'],
    // One end outside the zone, 1 inside the interval: nothing can be said.
    [0.94, 1.01, 'inconclusive'],
    [0.99, 1.06, 'inconclusive'],
    // 1 outside the interval, which reaches beyond the zone: a difference.
    [0.94, 0.99, 'slower'],
    [1.01, 1.06, 'faster'],
    // Exactly on the edges.
    [1 / 1.05, 1.05, 'same'],
    [0.9, 1, 'inconclusive'],
    [1, 1.1, 'inconclusive'],
  ] as const)('%d … %d at ±5 %% is %s', (low, high, verdict) => {
    expect(verdictOf({ low, high }, 0.05)).toBe(verdict);
  });

  it('follows the zone that it is given', () => {
    expect(verdictOf({ low: 0.92, high: 1.08 }, 0.1)).toBe('same');
    expect(verdictOf({ low: 0.98, high: 0.99 }, 0.01)).toBe('slower');
  });

  it('settles nothing without an interval', () => {
    expect(verdictOf(null, 0.05)).toBe('inconclusive');
    expect(verdictOf({ low: null, high: null }, 0.05)).toBe('inconclusive');
  });
});

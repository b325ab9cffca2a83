import { describe, expect, it } from 'vitest';
import {
  axisTicks,
  bandGeometry,
  barGeometry,
  ratioAxis,
} from '../../../src/renderer/components/result/ratio-scale.ts';
import type { RatioEstimate } from '../../../src/shared/model/analysis.ts';
import { verdictOf } from '../../../src/shared/statistics/paired-ratio.ts';

function ratio(value: number, low: number | null = null, high: number | null = null): RatioEstimate {
  return { value, low, high, standardError: low === null ? null : 0.02, confidence: 0.95, pairedRounds: 5 };
}

describe('the ratio axis', () => {
  it.each<[string, RatioEstimate[], number, number]>([
    ['nothing measured', [], 1.25, 0.25],
    ['all slower', [ratio(1, 1, 1), ratio(0.5, 0.4, 0.6)], 1.25, 0.25],
    ['a little faster', [ratio(1.2, 1.15, 1.26)], 1.5, 0.25],
    ['twice as fast', [ratio(1.8, 1.7, 1.9)], 2, 0.5],
    ['ten times as fast', [ratio(10, 9, 11)], 12, 2],
  ])('has room for %s', (_, ratios, max, step) => {
    expect(ratioAxis(ratios)).toEqual({ max, step });
  });

  it('is not stretched by an interval gone wild', () => {
    expect(ratioAxis([ratio(1, 1, 1), ratio(1.3, 0.001, 50_000)]).max).toBe(2);
  });

  it('has marks from 0 to its end', () => {
    expect(axisTicks({ max: 1.25, step: 0.25 })).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25]);
  });
});

describe('a bar', () => {
  it('lies between 0 and the end of the axis', () => {
    expect(barGeometry(ratio(0.5, 0.25, 1), 2)).toEqual({
      value: '25%',
      low: '12.5%',
      high: '50%',
      isCut: false,
    });
  });

  it('is cut where the axis ends, and has no whisker without an interval', () => {
    expect(barGeometry(ratio(1, 0.5, 9), 2)).toMatchObject({ high: '100%', isCut: true });
    expect(barGeometry(ratio(1), 2)).toMatchObject({ low: undefined, high: undefined, isCut: false });
  });
});

describe('the band of no meaningful difference', () => {
  it('covers exactly what the verdict calls the same', () => {
    const { x, width } = bandGeometry(0.05, 2);
    const low = (2 * Number.parseFloat(x)) / 100;
    const high = low + (2 * Number.parseFloat(width)) / 100;
    const inside = 1e-9;
    expect(verdictOf({ low: low + inside, high: high - inside }, 0.05)).toBe('same');
    expect(verdictOf({ low: low - inside, high: 1 + inside }, 0.05)).not.toBe('same');
    expect(verdictOf({ low: 1 - inside, high: high + inside }, 0.05)).not.toBe('same');
  });
});

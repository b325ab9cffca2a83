import { describe, expect, it } from 'vitest';
import { studentTCdf, studentTQuantile } from '../../../../src/shared/statistics/student-t.ts';

describe('studentTQuantile', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 (three decimals); rows: degrees of freedom.
  it.each([
    [0.975, 3, 3.182],
    [0.975, 4, 2.776],
    [0.995, 4, 4.604],
    [0.975, 5, 2.571],
    [0.95, 9, 1.833],
    [0.975, 9, 2.262],
    [0.999, 9, 4.297],
    [0.975, 19, 2.093],
    [0.975, 30, 2.042],
    [0.99, 60, 2.39],
    [0.975, 100, 1.984],
  ])('P = %d with %d degrees of freedom is %d, as the published table says', (p, degrees, expected) => {
    expect(Math.abs(studentTQuantile(p, degrees) - expected)).toBeLessThan(0.00051);
  });

  it('agrees with the closed forms for one and two degrees of freedom', () => {
    for (const p of [0.6, 0.9, 0.975, 0.9995]) {
      expect(studentTQuantile(p, 1)).toBeCloseTo(Math.tan(Math.PI * (p - 0.5)), 7);
      const a = 4 * p * (1 - p);
      expect(studentTQuantile(p, 2)).toBeCloseTo(2 * (p - 0.5) * Math.sqrt(2 / a), 9);
    }
  });

  it('comes to the normal distribution with many degrees of freedom', () => {
    expect(studentTQuantile(0.975, 1e7)).toBeCloseTo(1.959964, 5);
  });

  it('is the inverse of the cumulative probability, on both sides', () => {
    for (const p of [0.001, 0.025, 0.3, 0.5, 0.8, 0.9995]) {
      for (const degrees of [1, 2.5, 7, 40]) {
        expect(studentTCdf(studentTQuantile(p, degrees), degrees)).toBeCloseTo(p, 10);
      }
    }
    expect(studentTQuantile(0.025, 4)).toBe(-studentTQuantile(0.975, 4));
  });

  it('refuses what has no quantile', () => {
    for (const [p, degrees] of [
      [0, 3],
      [1, 3],
      [Number.NaN, 3],
      [0.975, 0],
    ] as const) {
      expect(() => studentTQuantile(p, degrees)).toThrow(RangeError);
    }
  });
});

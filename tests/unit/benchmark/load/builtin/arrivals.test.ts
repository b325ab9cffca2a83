import { describe, expect, it } from 'vitest';
import { Arrivals } from '../../../../../src/benchmark/load/builtin/rate.ts';
import { createRandom } from '../../../../../src/benchmark/random.ts';

describe('Arrivals', () => {
  it('are a Poisson process: mean and variance of the counts in a second are the rate', () => {
    const arrivals = new Arrivals(50, createRandom(1, 0));
    const counts = Array.from({ length: 4000 }, (_, second) => arrivals.advance(1000 * (second + 1)));
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
    expect(mean).toBeGreaterThan(49.5);
    expect(mean).toBeLessThan(50.5);
    expect(variance / mean).toBeGreaterThan(0.93);
    expect(variance / mean).toBeLessThan(1.07);
  });

  it('are the same for the same seed', () => {
    const planned = (): number[] => {
      const arrivals = new Arrivals(100, createRandom(7, 3));
      arrivals.advance(500);
      return Array.from({ length: 20 }, () => arrivals.take() ?? NaN);
    };
    expect(planned()).toEqual(planned());
  });

  it('wait in their order until they are taken', () => {
    const arrivals = new Arrivals(1000, createRandom(1, 0));
    const count = arrivals.advance(5000);
    expect(arrivals.waiting).toBe(count);
    const taken: number[] = [];
    for (let planned = arrivals.take(); planned !== undefined; planned = arrivals.take()) taken.push(planned);
    expect(taken).toHaveLength(count);
    expect(taken).toEqual([...taken].sort((a, b) => a - b));
    expect(taken.at(-1)).toBeLessThanOrEqual(5000);
    expect(arrivals.nextMs).toBeGreaterThan(5000);
    expect(arrivals.waiting).toBe(0);
  });

  it('of a time in which nobody could start them are taken back', () => {
    const arrivals = new Arrivals(100, createRandom(1, 0));
    arrivals.advance(3000);
    const before = arrivals.waiting;
    const skipped = arrivals.skip(1000, 2000);
    expect(skipped).toBeGreaterThan(60);
    expect(arrivals.waiting).toBe(before - skipped);
    for (let planned = arrivals.take(); planned !== undefined; planned = arrivals.take()) {
      expect(planned < 1000 || planned >= 2000).toBe(true);
    }
    expect(arrivals.skip(3000, 9000)).toBe(0);
    expect(arrivals.nextMs).toBeGreaterThanOrEqual(9000);
  });
});

import { describe, expect, it } from 'vitest';
import { createRandom, shuffled, xoshiro128 } from '../../../src/benchmark/random.ts';

describe('random', () => {
  it('gives the numbers of its authors’ own program', () => {
    const next = xoshiro128(1, 2, 3, 4);
    // Known answers for this state, as Rust's rand_xoshiro and others test them.
    const known = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849];
    expect(known.map(next)).toEqual(known);
  });

  it('repeats itself for the same seed and stream, and gives neighbors nothing in common', () => {
    const draws = (seed: number, stream: number): number[] => {
      const random = createRandom(seed, stream);
      return Array.from({ length: 2 }, random);
    };
    expect(draws(7, 3)).toEqual(draws(7, 3));
    const all = Array.from({ length: 50 * 50 }, (_, at) => draws(Math.floor(at / 50), at % 50)).flat();
    expect(new Set(all).size).toBe(50 * 50 * 2);
  });

  it('shuffles every order about equally often', () => {
    const random = createRandom(1);
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = shuffled(['a', 'b', 'c'], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    // Chi-square with 5 degrees of freedom: 20.5 is its 99.9th percentile.
    const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(20.5);
  });
});

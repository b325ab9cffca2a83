import { describe, expect, it } from 'vitest';
import { idDraws } from '../../../../../src/benchmark/load/builtin/oltp/distribution.ts';
import { createRandom, xoshiro128 } from '../../../../../src/benchmark/random.ts';

/** Σ (observed − expected)² / expected over equally likely cells. */
function chiSquare(counts: number[]): number {
  const expected = counts.reduce((sum, n) => sum + n, 0) / counts.length;
  return counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
}

const draws = (seed: number, stream: number, count = 6): number[] => {
  const random = createRandom(seed, stream);
  return Array.from({ length: count }, random);
};

describe('xoshiro128', () => {
  it('gives the numbers of its authors’ own program', () => {
    const next = xoshiro128(1, 2, 3, 4);
    // Known answers for this state, as Rust's rand_xoshiro and others test them.
    const known = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849];
    expect(known.map(next)).toEqual(known);
  });
});

describe('createRandom', () => {
  it('repeats itself for the same seed and stream only', () => {
    expect(draws(7, 3)).toEqual(draws(7, 3));
    expect(draws(7, 3)).not.toEqual(draws(7, 4));
    expect(draws(7, 3)).not.toEqual(draws(8, 3));
    expect(draws(3, 7)).not.toEqual(draws(7, 3));
  });

  it('gives neighboring streams and seeds nothing in common', () => {
    const firsts = new Set<number>();
    for (let seed = 0; seed < 50; seed++) {
      for (let stream = 0; stream < 50; stream++) for (const n of draws(seed, stream, 2)) firsts.add(n);
    }
    expect(firsts.size).toBe(50 * 50 * 2);
  });

  it.each([
    [0, 0],
    [1, 7],
    [0xffff_ffff, 511],
  ])('draws row ids uniformly (seed %i, stream %i)', (seed, stream) => {
    const random = createRandom(seed, stream);
    const counts = Array.from({ length: 100 }, () => 0);
    for (let i = 0; i < 100_000; i++) {
      const id = idDraws.uniform(100, random);
      counts[id - 1] = (counts[id - 1] ?? NaN) + 1;
    }
    // 99 degrees of freedom: 149 is the 99.9th percentile, 62 the 0.1th (too even is not random either).
    expect(chiSquare(counts)).toBeLessThan(149);
    expect(chiSquare(counts)).toBeGreaterThan(62);
  });

  it('draws each number independently of the one before', () => {
    const random = createRandom(42, 0);
    const pairs = Array.from({ length: 100 }, () => 0);
    let last = Math.floor(random() * 10);
    for (let i = 0; i < 100_000; i++) {
      const now = Math.floor(random() * 10);
      const cell = last * 10 + now;
      pairs[cell] = (pairs[cell] ?? NaN) + 1;
      last = now;
    }
    expect(chiSquare(pairs)).toBeLessThan(149);
  });
});

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/benchmark/random.ts';
import { afterWarmUp, blockMedians, theilSen, verdictOn, type Point } from '../../../bench/lib/soak/slope.ts';

/** A figure that grows by `slope` for each 1 of x, with noise, and now and then something wild. */
function series(slope: number, seed: number, stretch = 'a', count = 60): Point[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const wild = random() < 0.1 ? 100 * random() : 0;
    return { x: index / count, y: 50 + (slope * index) / count + (random() - 0.5) + wild, stretch };
  });
}

describe('the slope of a soak', () => {
  it('is found in spite of wild points, and its interval holds it as often as it says', () => {
    for (const slope of [0, 8, -3]) {
      let held = 0;
      for (let seed = 1; seed <= 200; seed++) {
        const found = theilSen(series(slope, seed));
        if (found === null) throw new Error('a slope was expected');
        expect(Math.abs(found.slope - slope)).toBeLessThan(2);
        if (found.low <= slope && slope <= found.high) held += 1;
      }
      expect(held).toBeGreaterThanOrEqual(180);
    }
  });

  it('is not taken between two stretches, where a figure may jump', () => {
    const low = series(0, 1, 'a');
    const high = series(0, 2, 'b').map((point) => ({ ...point, x: point.x + 2, y: point.y + 500 }));
    expect(Math.abs(theilSen([...low, ...high])?.slope ?? Infinity)).toBeLessThan(1);
    expect(theilSen([...low, ...high].map((one) => ({ ...one, stretch: 'a' })))?.slope).toBeGreaterThan(100);
  });

  it('is judged only where the whole interval is on one side of the limit', () => {
    const slope = { slope: 5, low: 3, high: 7, points: 20 };
    expect(verdictOn(slope, 8)).toBe('flat');
    expect(verdictOn(slope, 2)).toBe('grows');
    expect(verdictOn(slope, 4)).toBe('too short to tell');
    expect(verdictOn(theilSen(series(0, 1).slice(0, 4)), 8)).toBe('too short to tell');
    expect(verdictOn(theilSen(series(20, 1)), 8)).toBe('grows');
  });
});

describe('what a slope is taken of', () => {
  it('is one median for each stretch of time, so that a saw is a line', () => {
    const saw = Array.from({ length: 60 }, (_, index) => ({ x: index, y: index % 10, stretch: 'a' }));
    expect(blockMedians(saw, 10).map(({ y }) => y)).toEqual(Array(6).fill(4.5));
    expect(blockMedians([{ ...saw[0], x: 0, y: 1, stretch: 'b' }, ...saw], 10)).toHaveLength(7);
  });

  it('begins after the first third of each stretch', () => {
    const points = [
      ...series(0, 1, 'a', 30),
      ...series(0, 2, 'b', 30).map((one) => ({ ...one, x: one.x + 5 })),
    ];
    const later = afterWarmUp(points);
    expect(later.filter(({ stretch }) => stretch === 'a').every(({ x }) => x >= 0.32)).toBe(true);
    expect(later.filter(({ stretch }) => stretch === 'b').every(({ x }) => x >= 5.32)).toBe(true);
    expect(later).toHaveLength(40);
    expect(afterWarmUp(points, 0.5)).toHaveLength(30);
  });
});

import { describe, expect, it } from 'vitest';
import { decimate } from '../../../../src/renderer/charts/decimate.ts';
import { createRandom } from '../../../../src/benchmark/random.ts';

const lineOf = (values: (number | null)[]) => ({
  length: values.length,
  x: Float32Array.from(values, (_, index) => index + 0.5),
  y: Float32Array.from(values, (value) => value ?? NaN),
});

describe('thinning a line out', () => {
  const random = createRandom(3);
  const values = Array.from({ length: 5_000 }, () => Math.round(500 + 100 * random()));
  values[1_234] = 5;
  values[3_456] = 9_000;
  const points = decimate(lineOf(values), 50);

  it('keeps every peak, of all and of every stretch', () => {
    const ys = points.map(({ y }) => y);
    expect(ys).toContain(5);
    expect(ys).toContain(9_000);
    for (let start = 0; start < values.length; start += 50) {
      const own = points.filter(({ x }) => x >= start && x < start + 50).map(({ y }) => y ?? NaN);
      const all = values.slice(start, start + 50);
      expect(Math.min(...own)).toBe(Math.min(...all));
      expect(Math.max(...own)).toBe(Math.max(...all));
    }
  });

  it('keeps both ends, the order, and at most two points a stretch besides', () => {
    expect(points[0]).toEqual({ x: 0.5, y: values[0] });
    expect(points.at(-1)).toEqual({ x: 4_999.5, y: values.at(-1) });
    expect(points.length).toBeLessThanOrEqual(2 * 100 + 2);
    const xs = points.map(({ x }) => x);
    expect(xs).toEqual([...xs].sort((one, other) => one - other));
    expect(new Set(xs).size).toBe(xs.length);
  });

  it('changes nothing where stretches are shorter than the distance of the values', () => {
    const few = [3, 1, 2];
    expect(decimate(lineOf(few), 0.5, 10)).toEqual(few.map((y, index) => ({ x: 10.5 + index, y })));
  });

  it('leaves the points of earlier stretches where they are when the line grows', () => {
    const longer = decimate(lineOf([...values, 1, 2, 3]), 50);
    const before = points.filter(({ x }) => x < 4_950);
    expect(longer.slice(0, before.length)).toEqual(before);
  });

  it('breaks the line where a stretch has no values, and only there', () => {
    expect(decimate(lineOf([1, 2, null, null, 3, null]), 2).map(({ y }) => y)).toEqual([1, 2, null, 3]);
    expect(decimate(lineOf([1, null, 3]), 1).map(({ y }) => y)).toEqual([1, null, 3]);
  });

  it('has nothing to say about nothing', () => {
    expect(decimate(lineOf([]), 10)).toEqual([]);
    expect(decimate(lineOf([null, null]), 10)).toEqual([{ x: 0.5, y: null }]);
  });
});

import { describe, expect, it } from 'vitest';
import { LineDatasets, type Look } from '../../../src/renderer/charts/line-datasets.ts';
import type { Placed, Series } from '../../../src/renderer/charts/series.ts';

const look: Look = {
  styles: new Map([['a', { color: '#123456', dash: [8, 4], mark: 'circle' }]]),
  hidden: new Set(),
  highlighted: undefined,
  isDotted: false,
  color: '#000000',
};
const lineOf = (length: number, shift: number, isGrowing: boolean): Placed => ({
  length,
  x: Float32Array.from({ length }, (_, index) => index + 0.5),
  y: new Float32Array(length).fill(5),
  shift,
  isGrowing,
});
const seriesOf = (...lines: Placed[]): Series[] => [{ scenarioId: 'a', name: 'A', lines }];

describe('datasets of a chart', () => {
  it('keep what has ended apart from what grows, and leave it alone while that grows', () => {
    const datasets = new LineDatasets();
    const ended = lineOf(10, 0, false);
    const [first, growing] = datasets.update(seriesOf(ended, lineOf(3, 10, true)), 1, look);
    if (first === undefined || growing === undefined) throw new Error('two datasets were expected');
    const version = datasets.versionOf(first);
    expect(version).toBeDefined();
    expect(datasets.versionOf(growing)).toBeUndefined();

    const next = datasets.update(seriesOf(ended, lineOf(4, 10, true)), 1, look);
    expect(next[0]).toBe(first);
    expect(next[1]).toBe(growing);
    expect(datasets.versionOf(first)).toBe(version);
    // Four points and the gap after them.
    expect(growing.data).toHaveLength(5);
  });

  it('have another version when the trial has ended and when they look different', () => {
    const datasets = new LineDatasets();
    const ended = lineOf(10, 0, false);
    const versionAfter = (series: Series[], change: Partial<Look> = {}): number | undefined => {
      const [one] = datasets.update(series, 1, { ...look, ...change });
      return one === undefined ? undefined : datasets.versionOf(one);
    };
    const versions = [
      versionAfter(seriesOf(ended)),
      versionAfter(seriesOf(ended, lineOf(3, 10, false))),
      versionAfter(seriesOf(ended, lineOf(3, 10, false)), { hidden: new Set(['a']) }),
      versionAfter(seriesOf(ended), { highlighted: 'b' }),
    ];
    expect(new Set(versions).size).toBe(4);
  });

  it('take over what has settled of a long trial, so that only its end is drawn every second', () => {
    const datasets = new LineDatasets();
    const versions = new Set<number | undefined>();
    let longest = 0;
    for (let length = 1; length <= 3_000; length++) {
      const [still, end] = datasets.update(seriesOf(lineOf(length, 0, true)), 4, look);
      if (still === undefined || end === undefined) throw new Error('two datasets were expected');
      versions.add(datasets.versionOf(still));
      if (length > 1_000) longest = Math.max(longest, end.data.length);
      const [last] = still.data.slice(-2);
      if (last !== undefined) expect(end.data[0]).toEqual(last);
    }
    expect(longest).toBeLessThan(60);
    expect(versions.size).toBeLessThan(50);
  });

  it('say whether there is anything new to see', () => {
    const datasets = new LineDatasets();
    const values = [5, 9, 1, 4, 6, 12, 3];
    const isChangedAt = (length: number, step: number): boolean => {
      const line = { ...lineOf(length, 0, true), y: Float32Array.from(values.slice(0, length)) };
      datasets.update(seriesOf(line), step, look);
      return datasets.isChanged;
    };
    // Within one stretch only what is lower or higher than all before shows; the first value and the end are ends.
    expect([3, 4, 5, 6, 7].map((length) => isChangedAt(length, 100))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect([3, 4, 5].map((length) => isChangedAt(length, 1))).toEqual([true, true, true]);
  });

  it('draw what is dense with a thin plain pen, and nothing grows out of sight', () => {
    const datasets = new LineDatasets();
    const bold = { ...look, highlighted: 'a' };
    const [sparse] = datasets.update(seriesOf(lineOf(20, 0, false)), 1, bold);
    expect(sparse).toMatchObject({ borderDash: [8, 4], pointRadius: 1.5, borderWidth: 3.5 });
    const [dense, growing] = datasets.update(
      seriesOf(lineOf(2_000, 0, false), lineOf(5, 2_000, true)),
      1,
      bold,
    );
    expect(dense).toMatchObject({ borderDash: [], pointRadius: 0, borderWidth: 1.75 });
    const [dots] = datasets.update(seriesOf(lineOf(2_000, 0, false)), 1, { ...look, isDotted: true });
    expect(dots).toMatchObject({ showLine: false, pointRadius: 2.5 });
    expect(Number(growing?.order)).toBeLessThan(Number(dense?.order));
  });
});

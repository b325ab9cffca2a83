import { expect, it } from 'vitest';
import { lineDatasets, type Look } from '../../../src/renderer/charts/line-datasets.ts';
import type { Point, Series } from '../../../src/renderer/charts/series.ts';

const look: Look = {
  styles: new Map([['a', { color: '#123456', dash: [8, 4], mark: 'circle' }]]),
  hidden: new Set(),
  highlighted: undefined,
  color: '#000000',
};
const lineOf = (length: number): Point[] => Array.from({ length }, (_, index) => ({ x: index + 0.5, y: 5 }));
const seriesOf = (...lines: Point[][]): Series[] => [{ scenarioId: 'a', name: 'A', lines }];

it('a line has a gap after every trial', () => {
  const [drawn] = lineDatasets(seriesOf(lineOf(2), lineOf(1)), look);
  expect(drawn?.data).toEqual([
    { x: 0.5, y: 5 },
    { x: 1.5, y: 5 },
    { x: 1.5, y: null },
    { x: 0.5, y: 5 },
    { x: 0.5, y: null },
  ]);
});

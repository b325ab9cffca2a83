import { describe, expect, it } from 'vitest';
import { chartMarks, lineOptions, type Axes, spread } from '../../../src/renderer/charts/chart-options.ts';
import { disturbedSeconds, joinedBands } from '../../../src/renderer/charts/series.ts';
import { disturbedState } from '../../fake/fake-stories.ts';

const AXES: Axes = {
  rounds: [0, 5, 10, 15],
  roundLabel: (round) => `round ${round}`,
  xTitle: '',
  xMax: 15,
  bands: [],
  formatY: String,
  ink: { text: '', grid: '', warn: '', font: '' },
};

describe('the axis of rounds', () => {
  function ticks(axes: Axes) {
    const x = lineOptions(axes).scales?.['x'];
    const axis = { ticks: [] as { value: number }[] };
    x?.afterBuildTicks?.(axis as never);
    const ticksOf = x?.ticks as { callback: (value: number, index: number) => string };
    return axis.ticks.map(({ value }, index) => [value, ticksOf.callback(value, index)]);
  }

  it('names every round in the middle of what is shown of it', () => {
    expect(ticks(AXES)).toEqual([
      [2.5, 'round 1'],
      [7.5, 'round 2'],
      [12.5, 'round 3'],
    ]);
    expect(ticks({ ...AXES, xMax: 8 })).toEqual([
      [2.5, 'round 1'],
      [6.5, 'round 2'],
    ]);
  });
});

describe('seconds in which something else went on', () => {
  const run = disturbedState();

  it('lie where their windows are, of the scenarios that are shown', () => {
    const all = disturbedSeconds(run, 'overlay', () => true);
    expect(all.map(({ from, to, kinds }) => [from, to, kinds])).toEqual([
      [6, 7, ['swapping']],
      [7, 8, ['swapping']],
      [12, 13, ['steal']],
      [13, 14, ['steal']],
    ]);
    expect(joinedBands(all)).toEqual([
      { from: 6, to: 8 },
      { from: 12, to: 14 },
    ]);
    expect(disturbedSeconds(run, 'overlay', (id) => id === 'tmpfs.published-port')).toEqual([]);
  });

  it('are shaded where they can be seen', () => {
    const rects: number[][] = [];
    const nothing = (): void => undefined;
    const ctx = {
      save: nothing,
      restore: nothing,
      beginPath: nothing,
      setLineDash: nothing,
      moveTo: nothing,
      lineTo: nothing,
      stroke: nothing,
      fillRect: (...rect: number[]) => rects.push(rect),
    };
    const x = { getPixelForValue: (value: number) => 10 * value };
    const chart = { ctx, chartArea: { left: 70, top: 0, right: 100, bottom: 50 }, scales: { x } };
    const bands = [
      { from: 6, to: 8 },
      { from: 12, to: 14 },
    ];
    const marks = chartMarks(
      () => ({ ...AXES, rounds: [], bands }),
      () => ({ level: null, ends: [] }),
    );
    marks.beforeDatasetsDraw?.(chart as never, {} as never, {} as never);
    expect(rects).toEqual([[70, 0, 10, 50]]);
  });

  it('moves the names of lines apart, in their order and within the chart', () => {
    const [lowest, ...others] = spread([100, 40, 98, 96], 100);
    expect(lowest).toBe(100);
    expect(others).toEqual([40, 85, 70]);
    expect(spread([10, 60], 100)).toEqual([10, 60]);
  });
});

import { describe, expect, it } from 'vitest';
import { bandShades, lineOptions, type Axes } from '../../../src/renderer/charts/chart-options.ts';
import { disturbedSeconds, joinedBands, seriesOf, shownPart } from '../../../src/renderer/charts/series.ts';
import { logLabel } from '../../../src/renderer/charts/percentiles.ts';
import { canZoom, stepOfKey, stretch, zoomed } from '../../../src/renderer/charts/zoom.ts';
import { viewOf } from '../../../src/shared/run/run-view.ts';
import { disturbedState } from '../../fake/fake-stories.ts';

describe('zooming', () => {
  it('takes a stretch in either direction, keeps it inside, and no shorter than two seconds', () => {
    expect(stretch(20, 10, 50)).toEqual({ from: 10, to: 20 });
    expect(stretch(49.9, 50, 50)).toEqual({ from: 48, to: 50 });
    expect(stretch(0, 0.5, 50)).toEqual({ from: 0, to: 2 });
    expect(stretch(-10, 60, 50)).toBeUndefined();
  });

  it('goes in and out around the middle, and to the sides as far as there is something', () => {
    const half = zoomed(undefined, 'in', 40);
    expect(half).toEqual({ from: 10, to: 30 });
    expect(zoomed(half, 'out', 40)).toBeUndefined();
    const left = zoomed(half, 'left', 40);
    expect(left).toEqual({ from: 0, to: 20 });
    expect(canZoom(left, 'left', 40)).toBe(false);
    expect(zoomed(left, 'right', 40)).toEqual({ from: 10, to: 30 });
    expect(zoomed(zoomed(half, 'right', 40), 'right', 40)).toEqual({ from: 20, to: 40 });
    expect(zoomed(half, 'reset', 40)).toBeUndefined();
    expect(canZoom(undefined, 'reset', 40)).toBe(false);
    expect(canZoom({ from: 3, to: 5 }, 'in', 40)).toBe(false);
  });

  it('knows its keys', () => {
    expect(['+', '=', '-', 'ArrowLeft', 'ArrowRight', '0', 'Escape', 'a'].map(stepOfKey)).toEqual([
      'in',
      'in',
      'out',
      'left',
      'right',
      'reset',
      'reset',
      undefined,
    ]);
  });

  it('draws what lies in the stretch and one point beyond each edge', () => {
    const series = seriesOf(viewOf(disturbedState()), 'tps', 'overlay');
    const whole = series[0]?.lines ?? [];
    const part = shownPart(series, { from: 6, to: 8 })[0]?.lines ?? [];
    expect(whole.length).toBe(5);
    // The rounds before and after have their nearest point as well, which lies outside.
    const inside = part.flatMap(({ x, shift }) => [...x].map((one) => one + shift));
    expect(inside.filter((one) => one >= 6 && one <= 8)).toEqual([6.5, 7.5]);
    expect(inside).toContain(5.5);
    expect(inside).toContain(8.5);
    expect(shownPart(series, undefined)).toBe(series);
  });
});

const AXES: Axes = {
  rounds: [0, 5, 10, 15],
  roundLabel: (round) => `round ${round}`,
  xTitle: '',
  xMin: 0,
  xMax: 15,
  bands: [],
  formatY: String,
  ink: { text: '', grid: '', surface: '', warn: '', font: '' },
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
    expect(ticks({ ...AXES, xMin: 8, xMax: 12 })).toEqual([
      [9, 'round 2'],
      [11, 'round 3'],
    ]);
  });
});

describe('seconds in which something else went on', () => {
  const run = viewOf(disturbedState());

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
      rect: nothing,
      clip: nothing,
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
    bandShades(() => ({ ...AXES, bands })).beforeDatasetsDraw?.(chart as never, {} as never, {} as never);
    expect(rects).toEqual([[70, 0, 10, 50]]);
  });
});

describe('the axis of latency', () => {
  it('names 1, 2 and 5 of every power of ten', () => {
    expect([0.1, 0.2, 0.3, 0.5, 1, 4, 20, 50, 90, 100].map((one) => logLabel(one, String))).toEqual([
      '0.1',
      '0.2',
      '',
      '0.5',
      '1',
      '',
      '20',
      '50',
      '',
      '100',
    ]);
  });
});

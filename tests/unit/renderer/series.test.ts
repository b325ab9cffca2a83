import { describe, expect, it } from 'vitest';
import {
  endOf,
  meanOf,
  measuredWindows,
  pointsOf,
  roundSeconds,
  roundStarts,
  rowsOf,
  seriesOf,
  type Series,
} from '../../../src/renderer/charts/series.ts';
import { viewOf } from '../../../src/shared/run/run-view.ts';
import { GRID, makeState } from '../builders.ts';

const scenarios = GRID.slice(0, 2);
const [a, b] = ['named-volume.published-port', 'named-volume.user-bridge'];
const state = makeState({
  scenarios,
  aaCheck: false,
  rounds: 2,
  durationSeconds: 3,
  outcomes: { [a]: [100, 200], [b]: [300, 'SERVER_EXITED'] },
});
const run = viewOf(state);

const drawn = (series: Series | undefined, step = 0.1) =>
  (series?.lines ?? []).flatMap((line) => pointsOf(line, step));

describe('lines over time', () => {
  it('have a point in the middle of every measured second, and a gap after every trial', () => {
    const [line] = seriesOf(run, 'tps', 'overlay');
    expect(drawn(line).map(({ x }) => x)).toEqual([0.5, 1.5, 2.5, 2.5, 3.5, 4.5, 5.5, 5.5]);
    expect(drawn(line).map(({ y }) => y === null)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('lie on top of each other by round, and one after the other in order of measuring', () => {
    const first = (layout: 'overlay' | 'sequence') =>
      seriesOf(run, 'tps', layout).map((line) => drawn(line)[0]?.x);
    expect(first('overlay')).toEqual([0.5, 0.5]);
    expect([...first('sequence')].sort()).toEqual([0.5, 3.5]);
    expect(endOf(seriesOf(run, 'tps', 'overlay'))).toBe(5.5);
    expect(endOf(seriesOf(run, 'tps', 'sequence'))).toBe(8.5);
  });

  it('leave warm-up and trials without a measured second out', () => {
    const [, line] = seriesOf(run, 'tps', 'overlay');
    expect(drawn(line)).toHaveLength(4);
    expect(measuredWindows(run)).toBe(9);
  });

  it('tell latency in milliseconds', () => {
    const [line] = seriesOf(run, 'p95', 'overlay');
    // Eight connections at 100 transactions a second: about 80 ms each.
    expect(drawn(line)[0]?.y).toBeGreaterThan(50);
    expect(drawn(line)[0]?.y).toBeLessThan(200);
  });

  it('have means and stand as a table, too', () => {
    const series = seriesOf(run, 'tps', 'overlay');
    // Asked twice: what was read the first time counts once.
    for (let time = 0; time < 2; time++) {
      expect(series.map((one) => Math.round(meanOf(one) ?? 0))).toEqual([150, 300]);
    }
    expect(meanOf({ scenarioId: 'x', name: 'x', lines: [] })).toBeNull();
    const { seconds, rows } = rowsOf(series, 'mean');
    expect(seconds).toBe(1);
    expect(rows.map(([second]) => second)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows[0]?.[1].size).toBe(2);
    expect(rows[5]?.[1].size).toBe(1);
  });

  it('know where rounds begin', () => {
    expect(roundStarts(state.plan, roundSeconds(run))).toEqual([0, 3, 6]);
  });
});

describe('lines of slices', () => {
  const side = viewOf(
    makeState({ scenarios, aaCheck: false, rounds: 2, durationSeconds: 4, sliceSeconds: 1 }),
  );

  it('connect a scenario’s slices at their time in the round, in both layouts', () => {
    for (const layout of ['overlay', 'sequence'] as const) {
      const [one, other] = seriesOf(side, 'tps', layout);
      const [first] = (one?.lines ?? []).map((line) => pointsOf(line, 0.1));
      const places = [one, other].flatMap((line) => drawn(line).map(({ x }) => x));
      expect(first?.map(({ y }) => y === null)).toEqual([false, false, false, false, true]);
      expect(new Set(places).size).toBe(2 * 2 * 4);
      expect(endOf([one, other].flatMap((each) => each ?? []))).toBeGreaterThan(roundSeconds(side));
    }
  });

  it('stand in a table with a row for about each pass', () => {
    const { seconds, rows } = rowsOf(seriesOf(side, 'tps', 'overlay'), 'mean');
    expect(seconds).toBe(2);
    expect(rows.filter(([, values]) => values.size === 2).length).toBeGreaterThan(rows.length / 2);
  });
});

describe('lines of a long run', () => {
  const length = 36_000;
  const y = Float32Array.from({ length }, (_, index) => (index === 20_000 ? 1 : 100 + (index % 10)));
  const x = Float32Array.from({ length }, (_, index) => index + 0.5);
  const series: Series = {
    scenarioId: 'a',
    name: 'A',
    lines: [{ length, x, y, shift: 0, isGrowing: false }],
  };

  it('are drawn with few points, the lowest among them, and only made anew when they have changed', () => {
    const [line] = series.lines;
    if (line === undefined) throw new Error('no line');
    const points = pointsOf(line, 120);
    expect(points.length).toBeLessThan(650);
    expect(points.some(({ y: value }) => value === 1)).toBe(true);
    expect(pointsOf({ ...line }, 120)).toBe(points);
    expect(pointsOf({ ...line, length: length - 1 }, 120)).not.toBe(points);
  });

  it('stand in a table as stretches that say how long they are', () => {
    const mean = rowsOf([series], 'mean');
    expect(mean.seconds).toBe(60);
    expect(mean.rows).toHaveLength(600);
    expect(mean.rows[0]).toEqual([1, new Map([['a', 104.5]])]);
    const highest = rowsOf([series], 'highest');
    expect(highest.rows[0]).toEqual([1, new Map([['a', 109]])]);
  });
});

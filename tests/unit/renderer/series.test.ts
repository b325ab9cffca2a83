import { describe, expect, it } from 'vitest';
import {
  meanOf,
  measuredWindows,
  roundStarts,
  rowsOf,
  seriesOf,
} from '../../../src/renderer/charts/series.ts';
import { GRID, makeState } from '../builders.ts';

const scenarios = GRID.slice(0, 2);
const [a, b] = ['named-volume.published-port', 'named-volume.user-bridge'];
const state = makeState({
  scenarios,
  noiseFloor: false,
  rounds: 2,
  durationSeconds: 3,
  outcomes: { [a]: [100, 200], [b]: [300, 'SERVER_EXITED'] },
});

describe('lines over time', () => {
  it('have a point in the middle of every measured second, and a gap after every trial', () => {
    const [line] = seriesOf(state, 'tps', 'overlay');
    expect(line?.points.map(({ x }) => x)).toEqual([0.5, 1.5, 2.5, 2.5, 3.5, 4.5, 5.5, 5.5]);
    expect(line?.points.map(({ y }) => y === null)).toEqual([
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
      seriesOf(state, 'tps', layout).map(({ points }) => points[0]?.x);
    expect(first('overlay')).toEqual([0.5, 0.5]);
    expect([...first('sequence')].sort()).toEqual([0.5, 3.5]);
  });

  it('leave warm-up and trials without a measured second out', () => {
    const [, line] = seriesOf(state, 'tps', 'overlay');
    expect(line?.points).toHaveLength(4);
    expect(measuredWindows(state)).toBe(9);
  });

  it('tell latency in milliseconds', () => {
    const [line] = seriesOf(state, 'p95', 'overlay');
    // Eight connections at 100 transactions a second: about 80 ms each.
    expect(line?.points[0]?.y).toBeGreaterThan(50);
    expect(line?.points[0]?.y).toBeLessThan(200);
  });

  it('have means and stand as a table, too', () => {
    const series = seriesOf(state, 'tps', 'overlay');
    expect(series.map((one) => Math.round(meanOf(one) ?? 0))).toEqual([150, 300]);
    expect(meanOf({ scenarioId: 'x', name: 'x', points: [] })).toBeNull();
    const rows = rowsOf(series);
    expect(rows.map(([second]) => second)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows[0]?.[1].size).toBe(2);
    expect(rows[5]?.[1].size).toBe(1);
  });

  it('know where rounds begin', () => {
    expect(roundStarts(state.plan)).toEqual([0, 3, 6]);
  });
});

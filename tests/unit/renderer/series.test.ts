import { describe, expect, it } from 'vitest';
import { lineStyle, type Theme } from '../../../src/renderer/charts/palette.ts';
import {
  meanOf,
  measuredWindows,
  roundStarts,
  rowsOf,
  seriesOf,
} from '../../../src/renderer/charts/series.ts';
import { GRID, makePlan, makeState } from '../builders.ts';

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

describe('line styles', () => {
  /** Contrast as WCAG 2 defines it. */
  function contrast(one: string, other: string): number {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  }
  function luminance(hex: string): number {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  const surfaces: Record<Theme, string> = { light: '#ffffff', dark: '#162024' };
  const all = makePlan({
    scenarios: (['named-volume', 'bind-mount', 'image-layer', 'tmpfs'] as const).flatMap((storage) =>
      (['published-port', 'user-bridge', 'host-network'] as const).map((path) => ({ storage, path })),
    ),
  }).scenarios;

  it.each(['light', 'dark'] as const)('differ for every scenario and can be seen, %s', (theme) => {
    const styles = all.map((scenario) => lineStyle(scenario, theme));
    expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(all.length);
    for (const { color } of styles) expect(contrast(color, surfaces[theme]), color).toBeGreaterThan(3);
  });

  it('do not rely on colour alone: the paths of one storage differ in their dashes', () => {
    const dashes = all.slice(0, 3).map((scenario) => lineStyle(scenario, 'light').dash.join());
    expect(new Set(dashes).size).toBe(3);
  });
});

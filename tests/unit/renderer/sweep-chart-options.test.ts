import { describe, expect, it, vi } from 'vitest';
import {
  sweepDatasets,
  sweepMarks,
  sweepOptions,
  valueAt,
  type SweepDrawing,
} from '../../../src/renderer/charts/sweep-chart-options.ts';
import { lineStyles } from '../../../src/renderer/charts/palette.ts';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { makeState } from '../builders.ts';
import { ENGLISH } from '../../../src/shared/words/i18n.ts';

const BASE = 'named-volume.container-ip';
const OTHER = 'named-volume.published-port';
const LEVELS = [1, 4, 16];
const state = makeState({
  scenarios: [
    { storage: 'named-volume', path: 'container-ip' },
    { storage: 'named-volume', path: 'published-port' },
  ],
  sweep: LEVELS,
  aaCheck: false,
  rounds: 2,
  outcomes: {
    [`${BASE}.c1`]: [100, 110],
    [`${BASE}.c4`]: [400, 410],
    [`${BASE}.c16`]: [420, 440],
    // Still rising at the end.
    [`${OTHER}.c1`]: [50, 50],
    [`${OTHER}.c4`]: [200, 200],
    [`${OTHER}.c16`]: [800, 800],
  },
});
const { sweeps } = analyze(state);
const styles = new Map(
  [...lineStyles(state.plan.scenarios.slice(0, 2), 'light')].map(([id, style]) => [
    id.replace('.c1', ''),
    style,
  ]),
);
const drawing = (metric: SweepDrawing['metric']): SweepDrawing => ({
  sweeps,
  metric,
  styles,
  levels: LEVELS,
  xTitle: 'Connections',
  kneeLabel: 'knee',
  formatX: String,
  formatY: String,
  ink: { text: '#000', grid: '#ccc', surface: '#fff', warn: '#840', font: 'sans-serif' },
  t: ENGLISH,
});

/** What is drawn above the lines, on a plane where a pixel is a unit. */
function drawn(metric: SweepDrawing['metric']) {
  const arc = vi.fn();
  const fillText = vi.fn();
  const lineTo = vi.fn();
  const rest = { save: vi.fn(), restore: vi.fn(), beginPath: vi.fn(), moveTo: vi.fn(), stroke: vi.fn() };
  const ctx = { ...rest, setLineDash: vi.fn(), strokeText: vi.fn(), arc, fillText, lineTo };
  const scale = { getPixelForValue: (value: number) => value };
  const plugin = sweepMarks(() => drawing(metric));
  Reflect.apply(plugin.afterDatasetsDraw ?? (() => undefined), plugin, [
    { ctx, scales: { x: scale, y: scale } },
    {},
    {},
  ]);
  return { arcs: arc.mock.calls, texts: fillText.mock.calls, lines: lineTo.mock.calls };
}

describe('the chart of a sweep', () => {
  it('has a line for each scenario over powers of two', () => {
    const [first, second] = sweepDatasets(drawing('tps'));
    expect(first?.data).toEqual([
      { x: 0, y: 105 },
      { x: 2, y: 405 },
      { x: 4, y: 430 },
    ]);
    expect(first?.borderDash).not.toEqual(second?.borderDash);
    const level = sweeps[0]?.levels[1];
    if (level === undefined) throw new Error('no level');
    expect(valueAt(level, 'p95')).toBeCloseTo((level.p95Us ?? 0) / 1000, 9);
    expect(valueAt({ ...level, tps: null, p95Us: null }, 'p95')).toBeNull();
  });

  it('has its ticks at the levels, called by their connections', () => {
    const x = sweepOptions(drawing('tps')).scales?.['x'];
    const axis = { ticks: [] as { value: number }[] };
    Reflect.apply(x?.afterBuildTicks ?? (() => undefined), undefined, [axis]);
    expect(axis.ticks).toEqual([{ value: 0 }, { value: 2 }, { value: 4 }]);
    const names = axis.ticks.map(({ value }, index): unknown =>
      Reflect.apply(x?.ticks?.callback ?? (() => ''), undefined, [value, index, axis.ticks]),
    );
    expect(names).toEqual(['1', '4', '16']);
  });

  it('marks the knee, not the end of a line that still rises, and the spread of throughput', () => {
    const tps = drawn('tps');
    expect(tps.arcs.map(([x, y]) => [x, y])).toEqual([[2, 405]]);
    expect(tps.texts.map(([text]) => text)).toEqual(['knee']);
    // Beside the line of the other one.
    expect(tps.lines).toContainEqual([-2.5, 110]);
    const p95 = drawn('p95');
    expect(p95.arcs).toHaveLength(1);
    expect(p95.lines).toEqual([]);
  });
});

import type { ChartDataset, ChartOptions } from 'chart.js';
import type { Point } from './decimate.ts';
import { HIGHEST_X, percentileAt, percentileX, type LatencyCurve } from './percentiles.ts';
import { fontOf, quietOptions, valueAxis, type Ink } from './chart-options.ts';
import { POINTS } from './line-datasets.ts';
import type { LineStyle } from './palette.ts';

/** Both axes are logarithmic. */
export interface PercentileDrawing {
  curves: LatencyCurve[];
  styles: ReadonlyMap<string, LineStyle>;
  hidden: ReadonlySet<string>;
  highlighted: string | undefined;
  xTitle: string;
  formatX: (percentile: number) => string;
  formatY: (ms: number) => string;
  ink: Ink;
}

const TICKS = [0, 50, 75, 90, 95, 99, 99.9, 99.99].map(percentileX);
/** On every fifth point only. */
const MARKED_EVERY = 5;

export function percentileDatasets(drawing: PercentileDrawing): ChartDataset<'line', Point[]>[] {
  const { curves, styles, hidden, highlighted, ink } = drawing;
  return curves.map(({ scenarioId, name, points }) => {
    const style = styles.get(scenarioId);
    const own = style?.color ?? ink.text;
    const stepsBack = highlighted !== undefined && highlighted !== scenarioId;
    const color = stepsBack ? `${own}40` : own;
    const radius = style === undefined || style.mark === 'circle' ? 2 : 4;
    return {
      label: name,
      data: points.map(({ x, us }) => ({ x, y: us / 1000 })),
      hidden: hidden.has(scenarioId),
      borderColor: color,
      backgroundColor: color,
      borderDash: style?.dash ?? [],
      borderWidth: highlighted === scenarioId ? 3.5 : 2,
      pointStyle: POINTS[style?.mark ?? 'circle'],
      pointRadius: points.map((_, index) => (index % MARKED_EVERY === 0 ? radius : 0)),
      pointHoverRadius: 5,
      pointHitRadius: 6,
    };
  });
}

export function percentileOptions(drawing: PercentileDrawing): ChartOptions<'line'> {
  const { ink, formatX, formatY } = drawing;
  const font = fontOf(ink);
  const quiet = quietOptions(formatY);
  const values = valueAxis(ink, formatY);
  return {
    ...quiet,
    plugins: {
      tooltip: {
        callbacks: {
          title: ([item]) => (item === undefined ? '' : formatX(percentileAt(item.parsed.x ?? 0))),
          label: quiet.plugins.tooltip.callbacks.label,
        },
      },
    },
    scales: {
      x: {
        type: 'linear',
        min: 0,
        max: HIGHEST_X,
        grid: { color: ink.grid },
        border: { color: ink.grid },
        title: { display: true, text: drawing.xTitle, color: ink.text, font },
        ticks: {
          color: ink.text,
          font,
          maxRotation: 0,
          autoSkip: false,
          callback: (value) => formatX(percentileAt(Number(value))),
        },
        afterBuildTicks: (axis) => {
          axis.ticks = TICKS.map((value) => ({ value }));
        },
      },
      y: {
        type: 'logarithmic',
        grid: values.grid,
        border: values.border,
        ticks: { ...values.ticks, maxTicksLimit: 10, callback: (value) => logLabel(Number(value), formatY) },
      },
    },
  };
}

/** Labels only 1, 2, and 5 of each power of ten. */
export function logLabel(value: number, format: (value: number) => string): string {
  const leading = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 2, 5].some((one) => Math.abs(leading - one) < 1e-6) ? format(value) : '';
}

import type { ChartDataset, ChartOptions } from 'chart.js';
import type { Point } from './decimate.ts';
import { fontOf, quietOptions, valueAxis, type Ink } from './chart-options.ts';
import { POINTS } from './line-datasets.ts';
import type { LineStyle } from './palette.ts';
import { mergeHistograms } from '../../shared/histogram/histogram.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';

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

/**
 * Latency by percentile. `x` is log10(1/(1 − q)) of the share q: 0 the fastest, 1 the 90th percentile, 2 the
 * 99th, as in HdrHistogram's plots (http://hdrhistogram.org).
 */
interface LatencyCurve {
  scenarioId: string;
  name: string;
  count: number;
  points: { x: number; us: number }[];
  table: (number | null)[];
}

const HIGHEST_X = 4;
const POINTS_PER_DECADE = 10;
export const TABLE_PERCENTILES = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99] as const;

export function percentileX(percentile: number): number {
  return Math.log10(100 / (100 - percentile));
}

export function percentileAt(x: number): number {
  return 100 * (1 - 10 ** -x);
}

/** From the merged histograms of all trials. Ends where no transaction lies beyond, since the rest is the maximum. */
export function latencyCurves(run: RunOutline): LatencyCurve[] {
  return run.plan.scenarios.flatMap(({ id, name }): LatencyCurve[] => {
    const histogram = mergeHistograms(
      run.trials.flatMap(({ scenarioId, totals }) =>
        scenarioId === id && totals !== null ? [totals.histogram] : [],
      ),
    );
    const count = histogram.totalCount;
    if (count === 0) return [];
    const isTold = (x: number): boolean => count * 10 ** -x > 1 - 1e-9;
    const usAt = (percentile: number): number =>
      percentile === 0 ? histogram.minNonZeroValue : histogram.getValueAtPercentile(percentile);
    const places = Array.from(
      { length: HIGHEST_X * POINTS_PER_DECADE + 1 },
      (_, index) => index / POINTS_PER_DECADE,
    );
    return [
      {
        scenarioId: id,
        name,
        count,
        points: places.filter(isTold).map((x) => ({ x, us: usAt(percentileAt(x)) })),
        table: TABLE_PERCENTILES.map((one) => (isTold(percentileX(one)) ? usAt(one) : null)),
      },
    ];
  });
}

import type { Chart, ChartDataset, ChartOptions, Plugin } from 'chart.js';
import { isKnee } from '../../shared/words/wording.ts';
import type { Sweep, SweepLevel } from '../../shared/model/analysis.ts';
import { labelText } from '../../shared/words/labels.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import type { Point } from './decimate.ts';
import { fontOf, quietOptions, valueAxis, type Ink } from './chart-options.ts';
import { POINTS } from './line-datasets.ts';
import type { LineStyle } from './palette.ts';
import type { Metric } from './series.ts';

export interface SweepDrawing {
  sweeps: Sweep[];
  metric: Metric;
  styles: ReadonlyMap<string, LineStyle>;
  levels: number[];
  xTitle: string;
  kneeLabel: string;
  formatX: (connections: number) => string;
  formatY: (value: number) => string;
  ink: Ink;
  t: Translate;
}

const POINT_RADIUS = 4;
const KNEE_RADIUS = 9;
const CAP = 4;
const LABEL_DISTANCE = 11;
/** Whiskers at one level are drawn side by side. */
const WHISKER_STEP = 5;

export function valueAt(level: SweepLevel, metric: Metric): number | null {
  if (metric === 'tps') return level.tps;
  return level.p95Us === null ? null : level.p95Us / 1000;
}

export function sweepDatasets({ sweeps, metric, styles, t }: SweepDrawing): ChartDataset<'line', Point[]>[] {
  return sweeps.map((sweep) => {
    const style = styles.get(sweep.id);
    return {
      label: labelText(sweep.label, t),
      data: sweep.levels.map((level) => ({ x: Math.log2(level.connections), y: valueAt(level, metric) })),
      borderColor: style?.color ?? '',
      backgroundColor: style?.color ?? '',
      borderDash: style?.dash ?? [],
      borderWidth: 2,
      pointStyle: POINTS[style?.mark ?? 'circle'],
      pointRadius: POINT_RADIUS,
      pointHoverRadius: POINT_RADIUS + 1,
    };
  });
}

export function sweepOptions({
  levels,
  sweeps,
  metric,
  ink,
  ...drawing
}: SweepDrawing): ChartOptions<'line'> {
  const font = fontOf(ink);
  const highest = sweeps.flatMap((sweep) => sweep.levels.map(({ highTps }) => highTps ?? 0));
  return {
    ...quietOptions(drawing.formatY),
    scales: {
      x: {
        type: 'linear',
        offset: true,
        grid: { color: ink.grid },
        border: { color: ink.grid },
        title: { display: true, text: drawing.xTitle, color: ink.text, font },
        ticks: {
          color: ink.text,
          font,
          maxRotation: 0,
          callback: (value) => drawing.formatX(2 ** Number(value)),
        },
        afterBuildTicks: (axis) => {
          axis.ticks = levels.map((level) => ({ value: Math.log2(level) }));
        },
      },
      y: { ...valueAxis(ink, drawing.formatY), suggestedMax: metric === 'tps' ? Math.max(0, ...highest) : 0 },
    },
  };
}

export function sweepMarks(drawing: () => SweepDrawing): Plugin<'line'> {
  return {
    id: 'sweep-marks',
    afterDatasetsDraw({ ctx, scales }) {
      const { x, y } = scales;
      if (x === undefined || y === undefined) return;
      const { sweeps, metric, styles, kneeLabel, ink } = drawing();
      const labels: { x: number; y: number }[] = [];
      ctx.save();
      for (const [index, sweep] of sweeps.entries()) {
        const aside = (index - (sweeps.length - 1) / 2) * WHISKER_STEP;
        ctx.strokeStyle = styles.get(sweep.id)?.color ?? ink.text;
        ctx.lineWidth = 1.5;
        ctx.setLineDash([]);
        for (const level of sweep.levels) {
          const value = valueAt(level, metric);
          if (value === null) continue;
          const at = { x: x.getPixelForValue(Math.log2(level.connections)), y: y.getPixelForValue(value) };
          if (metric === 'tps' && level.lowTps !== null && level.highTps !== null) {
            whisker(ctx, at.x + aside, y.getPixelForValue(level.lowTps), y.getPixelForValue(level.highTps));
          }
          if (!isKnee(sweep.knee, level.connections)) continue;
          ctx.beginPath();
          ctx.arc(at.x, at.y, KNEE_RADIUS, 0, 2 * Math.PI);
          ctx.stroke();
          labels.push(at);
        }
      }
      ctx.fillStyle = ink.text;
      ctx.strokeStyle = ink.surface;
      ctx.lineWidth = 4;
      ctx.lineJoin = 'round';
      ctx.font = `600 12px ${ink.font}`;
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      for (const at of labels) {
        // Of two knees at one level, the lower one is named below.
        const isBelow = labels.some((other) => other.x === at.x && other.y < at.y);
        const place = [at.x + KNEE_RADIUS, at.y + (isBelow ? LABEL_DISTANCE : -LABEL_DISTANCE)] as const;
        ctx.strokeText(kneeLabel, ...place);
        ctx.fillText(kneeLabel, ...place);
      }
      ctx.restore();
    },
  };
}

function whisker(ctx: Chart['ctx'], x: number, low: number, high: number): void {
  ctx.beginPath();
  ctx.moveTo(x, low);
  ctx.lineTo(x, high);
  for (const end of [low, high]) {
    ctx.moveTo(x - CAP, end);
    ctx.lineTo(x + CAP, end);
  }
  ctx.stroke();
}

import type { Chart, ChartOptions, Plugin } from 'chart.js';

export interface Ink {
  text: string;
  grid: string;
  surface: string;
  warn: string;
  font: string;
}

export interface Band {
  from: number;
  to: number;
}

export interface Axes {
  rounds: number[];
  roundLabel: (round: number) => string;
  xTitle: string;
  /** Of ticks without rounds; default: the number. */
  formatX?: (x: number) => string;
  xStep?: number;
  xMax: number;
  bands: readonly Band[];
  formatY: (value: number) => string;
  ink: Ink;
}

const HATCH_PX = 8;
/** Of a line; of longer ones the extremes of each pixel are drawn. */
const MOST_POINTS = 500;

export function lineOptions(axes: Axes): ChartOptions<'line'> {
  const { rounds, ink, formatY } = axes;
  const byRound = rounds.length > 0;
  const font = { family: ink.font, size: 12 };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    parsing: false,
    normalized: true,
    interaction: { mode: 'nearest', intersect: false },
    plugins: {
      decimation: { enabled: true, threshold: MOST_POINTS },
      tooltip: {
        callbacks: {
          title: () => '',
          label: ({ dataset, parsed }) =>
            `${dataset.label ?? ''}: ${parsed.y === null ? '' : formatY(parsed.y)}`,
        },
      },
    },
    scales: {
      x: {
        type: 'linear',
        min: 0,
        max: axes.xMax,
        grid: { display: !byRound, color: ink.grid },
        border: { color: ink.grid },
        title: { display: !byRound, text: axes.xTitle, color: ink.text, font },
        ticks: {
          color: ink.text,
          font,
          maxRotation: 0,
          autoSkip: !byRound || rounds.length > 12,
          ...(axes.xStep === undefined ? {} : { stepSize: axes.xStep }),
          callback: (value) =>
            byRound ? axes.roundLabel(roundAt(axes, Number(value))) : (axes.formatX ?? String)(Number(value)),
        },
        afterBuildTicks: (axis) => {
          if (byRound) axis.ticks = roundTicks(axes);
        },
      },
      y: {
        type: 'linear',
        beginAtZero: true,
        grid: { color: ink.grid },
        border: { display: false },
        ticks: {
          color: ink.text,
          font,
          maxTicksLimit: 6,
          callback: (value) => formatY(Number(value)),
        },
      },
    },
  };
}

/** Centered on the visible part of the round. */
function roundTicks({ rounds, xMax }: Pick<Axes, 'rounds' | 'xMax'>): { value: number }[] {
  return rounds.slice(0, -1).flatMap((start, index) => {
    const to = Math.min(rounds[index + 1] ?? start, xMax);
    return to > start ? [{ value: (start + to) / 2 }] : [];
  });
}

function roundAt({ rounds }: Pick<Axes, 'rounds'>, x: number): number {
  return rounds.filter((start) => start <= x).length;
}

export function bandShades(axes: () => Pick<Axes, 'bands' | 'ink'>): Plugin<'line'> {
  return {
    id: 'bands',
    beforeDatasetsDraw({ ctx, chartArea: { left, top, right, bottom }, scales }) {
      const x = scales['x'];
      if (x === undefined) return;
      const { bands, ink } = axes();
      ctx.save();
      ctx.strokeStyle = ink.warn;
      ctx.fillStyle = ink.warn;
      ctx.lineWidth = 1;
      for (const { from, to } of bands) {
        const begin = Math.max(left, x.getPixelForValue(from));
        const end = Math.min(right, x.getPixelForValue(to));
        if (end <= begin) continue;
        ctx.globalAlpha = 0.12;
        ctx.fillRect(begin, top, end - begin, bottom - top);
        ctx.globalAlpha = 0.4;
        hatch(ctx, begin, end, top, bottom);
      }
      ctx.restore();
    },
  };
}

function hatch(ctx: Chart['ctx'], left: number, right: number, top: number, bottom: number): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, right - left, bottom - top);
  ctx.clip();
  ctx.beginPath();
  const height = bottom - top;
  for (let at = Math.floor((left - height) / HATCH_PX) * HATCH_PX; at < right; at += HATCH_PX) {
    ctx.moveTo(at, bottom);
    ctx.lineTo(at + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

export function roundBorders(axes: () => Pick<Axes, 'rounds' | 'ink'>): Plugin<'line'> {
  return {
    id: 'rounds',
    beforeDatasetsDraw({ ctx, chartArea, scales }) {
      const x = scales['x'];
      if (x === undefined) return;
      const { rounds, ink } = axes();
      ctx.save();
      ctx.strokeStyle = ink.grid;
      ctx.lineWidth = 1;
      for (const at of rounds) {
        if (at > x.max) continue;
        const pixel = Math.round(x.getPixelForValue(at)) + 0.5;
        ctx.beginPath();
        ctx.moveTo(pixel, chartArea.top);
        ctx.lineTo(pixel, chartArea.bottom);
        ctx.stroke();
      }
      ctx.restore();
    },
  };
}

/** Over everything else that is drawn. */
export function levelLine(level: () => number | null, ink: () => Ink): Plugin<'line'> {
  return {
    id: 'level',
    afterDatasetsDraw({ ctx, chartArea: { left, right }, scales }) {
      const value = level();
      const y = scales['y'];
      if (value === null || y === undefined) return;
      const pixel = Math.round(y.getPixelForValue(value)) + 0.5;
      ctx.save();
      ctx.strokeStyle = ink().text;
      ctx.lineWidth = 1.5;
      ctx.setLineDash([6, 4]);
      ctx.beginPath();
      ctx.moveTo(left, pixel);
      ctx.lineTo(right, pixel);
      ctx.stroke();
      ctx.restore();
    },
  };
}

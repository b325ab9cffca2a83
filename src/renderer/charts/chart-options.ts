import type { Chart, ChartOptions, Plugin } from 'chart.js';

export interface Ink {
  text: string;
  grid: string;
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

/** Behind the lines: disturbed seconds, and where rounds begin; over everything: a dashed level. */
export function chartMarks(
  axes: () => Pick<Axes, 'bands' | 'rounds' | 'ink'>,
  level: () => number | null,
): Plugin<'line'> {
  return {
    id: 'marks',
    beforeDatasetsDraw({ ctx, chartArea: { left, top, right, bottom }, scales: { x } }) {
      if (x === undefined) return;
      const { bands, rounds, ink } = axes();
      const upright = (at: number, color: string): void => stroke(ctx, color, [at, top, at, bottom]);
      for (const { from, to } of bands) {
        const begin = Math.max(left, x.getPixelForValue(from));
        const end = Math.min(right, x.getPixelForValue(to));
        if (end <= begin) continue;
        ctx.save();
        ctx.globalAlpha = 0.25;
        ctx.fillStyle = ink.warn;
        ctx.fillRect(begin, top, end - begin, bottom - top);
        ctx.restore();
        for (const edge of [begin, end]) upright(edge, ink.warn);
      }
      for (const at of rounds) {
        if (at <= x.max) upright(Math.round(x.getPixelForValue(at)) + 0.5, ink.grid);
      }
    },
    afterDatasetsDraw({ ctx, chartArea: { left, right }, scales: { y } }) {
      const value = level();
      if (value === null || y === undefined) return;
      const at = Math.round(y.getPixelForValue(value)) + 0.5;
      stroke(ctx, axes().ink.text, [left, at, right, at], [6, 4]);
    },
  };
}

function stroke(
  ctx: Chart['ctx'],
  color: string,
  [x1, y1, x2, y2]: [number, number, number, number],
  dash: number[] = [],
): void {
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = dash.length > 0 ? 1.5 : 1;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
  ctx.restore();
}

import type { Chart, ChartOptions, Plugin } from 'chart.js';

/** Colours and font of axes and grid. */
export interface Ink {
  text: string;
  grid: string;
  /** What lies under the chart: keeps words apart from lines. */
  surface: string;
  /** Of what a reader should beware of. */
  warn: string;
  font: string;
}

/** A stretch of the x axis. */
export interface Band {
  from: number;
  to: number;
}

export interface Axes {
  /** Borders of rounds on the x axis; empty: an ordinary axis of seconds. */
  rounds: number[];
  roundLabel: (round: number) => string;
  xTitle: string;
  xMin: number;
  xMax: number;
  /** Stretches of the x axis in which something else went on on the machine. */
  bands: readonly Band[];
  formatY: (value: number) => string;
  ink: Ink;
}

/** Distance of the strokes that a band is hatched with. */
const HATCH_PX = 8;

/** What all charts have in common: still, so that every second costs little, and quiet. */
export function quietOptions(formatY: (value: number) => string) {
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    parsing: false,
    interaction: { mode: 'nearest', intersect: false },
    plugins: {
      tooltip: {
        callbacks: {
          title: () => '',
          label: ({ dataset, parsed }) =>
            `${dataset.label ?? ''}: ${parsed.y === null ? '' : formatY(parsed.y)}`,
        },
      },
    },
  } satisfies ChartOptions<'line'>;
}

/** Their axis of values. */
export function valueAxis(ink: Ink, formatY: (value: number) => string) {
  return {
    type: 'linear' as const,
    beginAtZero: true,
    grid: { color: ink.grid },
    border: { display: false },
    ticks: {
      color: ink.text,
      font: fontOf(ink),
      maxTicksLimit: 6,
      callback: (value: string | number) => formatY(Number(value)),
    },
  };
}

/** The font of everything that a chart writes. */
export function fontOf(ink: Ink): { family: string; size: number } {
  return { family: ink.font, size: 12 };
}

/** Options of a chart over time. */
export function lineOptions(axes: Axes): ChartOptions<'line'> {
  const { rounds, ink, formatY } = axes;
  const byRound = rounds.length > 0;
  const font = fontOf(ink);
  return {
    ...quietOptions(formatY),
    normalized: true,
    scales: {
      x: {
        type: 'linear',
        min: axes.xMin,
        max: axes.xMax,
        grid: { display: !byRound, color: ink.grid },
        border: { color: ink.grid },
        title: { display: !byRound, text: axes.xTitle, color: ink.text, font },
        ticks: {
          color: ink.text,
          font,
          maxRotation: 0,
          autoSkip: !byRound || rounds.length > 12,
          callback: (value) => (byRound ? axes.roundLabel(roundAt(axes, Number(value))) : String(value)),
        },
        afterBuildTicks: (axis) => {
          if (byRound) axis.ticks = roundTicks(axes);
        },
      },
      y: valueAxis(ink, formatY),
    },
  };
}

/** A round's name stands in the middle of what is shown of it. */
function roundTicks({ rounds, xMin, xMax }: Pick<Axes, 'rounds' | 'xMin' | 'xMax'>): { value: number }[] {
  return rounds.slice(0, -1).flatMap((start, index) => {
    const from = Math.max(start, xMin);
    const to = Math.min(rounds[index + 1] ?? start, xMax);
    return to > from ? [{ value: (from + to) / 2 }] : [];
  });
}

/** The round (from 1) at a place of the x axis. */
function roundAt({ rounds }: Pick<Axes, 'rounds'>, x: number): number {
  return rounds.filter((start) => start <= x).length;
}

/** Shades stretches of the x axis, hatched, so that they are not told by colour alone. */
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
  // On one grid for the whole chart, so that bands side by side look like one.
  for (let at = Math.floor((left - height) / HATCH_PX) * HATCH_PX; at < right; at += HATCH_PX) {
    ctx.moveTo(at, bottom);
    ctx.lineTo(at + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** Draws a line wherever a round begins. */
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
        if (at < x.min || at > x.max) continue;
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

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

/** A line's name next to its last point. */
export interface End {
  name: string;
  color: string;
  y: number;
}

export interface Axes {
  rounds: number[];
  roundLabel: (round: number) => string;
  xTitle: string;
  /** The format of an axis without rounds; default: the number. */
  formatX?: (x: number) => string;
  xStep?: number;
  xMin?: number;
  xMax: number;
  endNames?: readonly string[];
  bands: readonly Band[];
  formatY: (value: number) => string;
  ink: Ink;
}

/** Longer lines are drawn as the extremes of each pixel. */
const MOST_POINTS = 500;

export function lineOptions(axes: Axes): ChartOptions<'line'> {
  const { rounds, ink, formatY } = axes;
  const byRound = rounds.length > 0;
  const font = { family: ink.font, size: FONT_SIZE };
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    parsing: false,
    normalized: true,
    layout: { padding: ({ chart }) => ({ right: roomFor(chart, axes) }) },
    interaction: { mode: 'nearest', intersect: false },
    plugins: {
      decimation: { enabled: true, threshold: MOST_POINTS },
      tooltip: {
        callbacks: {
          title: ([first]) => axes.formatX?.(first?.parsed.x ?? 0) ?? '',
          label: ({ dataset, parsed }) =>
            `${dataset.label ?? ''}: ${parsed.y === null ? '' : formatY(parsed.y)}`,
        },
      },
    },
    scales: {
      x: {
        type: 'linear',
        min: axes.xMin ?? 0,
        max: axes.xMax,
        grid: { display: !byRound, color: ink.grid },
        border: { color: ink.grid },
        title: { display: !byRound && axes.xTitle !== '', text: axes.xTitle, color: ink.text, font },
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

function roundTicks({ rounds, xMax }: Pick<Axes, 'rounds' | 'xMax'>): { value: number }[] {
  return rounds.slice(0, -1).flatMap((start, index) => {
    const to = Math.min(rounds[index + 1] ?? start, xMax);
    return to > start ? [{ value: (start + to) / 2 }] : [];
  });
}

function roundAt({ rounds }: Pick<Axes, 'rounds'>, x: number): number {
  return rounds.filter((start) => start <= x).length;
}

export function chartMarks(
  axes: () => Pick<Axes, 'bands' | 'rounds' | 'ink'>,
  over: () => { level: number | null; ends: readonly End[] },
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
    afterDatasetsDraw({ ctx, chartArea: { left, right, bottom }, scales: { y } }) {
      if (y === undefined) return;
      const { ink } = axes();
      const { level, ends } = over();
      if (level !== null) {
        const at = Math.round(y.getPixelForValue(level)) + 0.5;
        stroke(ctx, ink.text, [left, at, right, at], [6, 4]);
      }
      ctx.save();
      ctx.font = fontOf(ink);
      ctx.textBaseline = 'middle';
      const places = spread(
        ends.map((end) => y.getPixelForValue(end.y)),
        bottom,
      );
      for (const [index, { name, color }] of ends.entries()) {
        const at = places[index] ?? 0;
        ctx.fillStyle = color;
        ctx.beginPath();
        ctx.arc(right + END.gap, at, 3.5, 0, 2 * Math.PI);
        ctx.fill();
        ctx.fillStyle = ink.text;
        ctx.fillText(name, right + END.gap + END.dot, at);
      }
      ctx.restore();
    },
  };
}

/** Sizes in px. */
const END = { gap: 9, dot: 8, height: 15 };
const FONT_SIZE = 12;

function fontOf({ font }: Pick<Ink, 'font'>): string {
  return `${FONT_SIZE}px ${font}`;
}

function roomFor({ ctx }: Pick<Chart, 'ctx'>, { endNames = [], ink }: Axes): number {
  if (endNames.length === 0) return 0;
  ctx.save();
  ctx.font = fontOf(ink);
  const widest = Math.max(...endNames.map((name) => ctx.measureText(name).width));
  ctx.restore();
  return END.gap + END.dot + Math.ceil(widest);
}

/** Keeps the order without overlaps, none below `lowest`; px. */
export function spread(wanted: readonly number[], lowest: number): number[] {
  const order = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = [...wanted];
  let free = -Infinity;
  for (const index of order) {
    places[index] = Math.max(places[index] ?? 0, free);
    free = (places[index] ?? 0) + END.height;
  }
  let limit = lowest;
  for (const index of order.reverse()) {
    places[index] = Math.min(places[index] ?? 0, limit);
    limit = (places[index] ?? 0) - END.height;
  }
  return places;
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

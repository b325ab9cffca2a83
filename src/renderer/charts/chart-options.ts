import type { ChartOptions, Plugin } from 'chart.js';

/** Colours and font of axes and grid. */
export interface Ink {
  text: string;
  grid: string;
  /** What lies under the chart: keeps words apart from lines. */
  surface: string;
  font: string;
}

export interface Axes {
  /** Borders of rounds on the x axis; empty: an ordinary axis of seconds. */
  rounds: number[];
  roundLabel: (round: number) => string;
  xTitle: string;
  xMax: number;
  formatY: (value: number) => string;
  ink: Ink;
}

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
          callback: (value, index) => (byRound ? axes.roundLabel(index + 1) : String(value)),
        },
        afterBuildTicks: (axis) => {
          // A round's name stands in its middle.
          if (byRound) {
            axis.ticks = rounds
              .slice(0, -1)
              .map((start, index) => ({ value: (start + (rounds[index + 1] ?? start)) / 2 }));
          }
        },
      },
      y: valueAxis(ink, formatY),
    },
  };
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

import { ticks } from '../../../src/shared/pictures/bars.ts';
import { at, ink, svgLine, svgRect, svgText, withColors } from '../../../src/shared/pictures/svg.ts';

export interface Line {
  name: string;
  /** Minutes and MiB; a gap of more than `GAP_MINUTES` is not drawn over. */
  points: { x: number; y: number }[];
}

/** A stretch of the time axis with its own name. */
export interface Span {
  from: number;
  to: number;
  name: string;
}

/** Hues after Okabe and Ito, darkened, as in the curves of a sweep. */
const COLORS = ['#0072b2', '#c65300', '#00855f', '#8e4585', '#26343b', '#b03060', '#5b6c80'];
const [WIDTH, PANEL, LEFT, RIGHT, TOP, FOOT, BETWEEN] = [960, 300, 64, 150, 78, 40, 52];
const GAP_MINUTES = 0.1;

/** Memory of each process over the time, in two panels: as it is, and what it is more or less than in the middle of the run. */
export function memoryPlot(title: string, subtitle: string, lines: Line[], spans: Span[]): string {
  const height = TOP + 2 * PANEL + BETWEEN + FOOT;
  const minutes = Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const x = (value: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * value) / minutes;
  const changes = lines.map(({ name, points }) => {
    const middle = points[Math.floor(points.length / 2)]?.y ?? 0;
    return { name, points: points.map((point) => ({ ...point, y: point.y - middle })) };
  });
  const bottom = TOP + 2 * PANEL + BETWEEN;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="Inter, system-ui, sans-serif" role="img">`,
    `<title>${title}</title>`,
    svgRect(0, 0, WIDTH, height, ink('surface')),
    svgText(LEFT, 26, title, { size: 18, fill: ink('text'), weight: 700 }),
    svgText(LEFT, 46, subtitle, { size: 12, fill: ink('text-2') }),
    ...spans.map(({ from, to, name }) =>
      [
        svgRect(x(from), TOP, x(to) - x(from), bottom - TOP, ink('surface-2')),
        svgText(x(from) + 4, TOP + 14, name, { size: 11, fill: ink('text-2') }),
      ].join(''),
    ),
    panel('private memory, MiB', lines, TOP, x),
    panel('more or less than in the middle, MiB', changes, TOP + PANEL + BETWEEN, x),
    ...ticks(minutes).map((tick) =>
      svgText(x(tick), bottom + 18, `${at(tick)} min`, { size: 12, fill: ink('text-2'), anchor: 'middle' }),
    ),
    '</svg>',
  ];
  return withColors(svg.join('\n'));
}

function panel(name: string, lines: Line[], top: number, x: (value: number) => number): string {
  const values = lines.flatMap(({ points }) => points.map((point) => point.y));
  const most = Math.max(1, ...values) * 1.05;
  const least = Math.min(0, ...values) * 1.05;
  const y = (value: number): number => top + PANEL - (PANEL * (value - least)) / (most - least);
  const grid = [...ticks(most), ...(least < 0 ? ticks(-least).map((tick) => -tick) : [])];
  return [
    svgText(LEFT, top - 6, name, { size: 12, fill: ink('text-2') }),
    ...[...new Set(grid)].map((tick) => {
      const style = { size: 12, fill: ink('text-2'), anchor: 'end' } as const;
      return (
        svgLine(LEFT, y(tick), WIDTH - RIGHT, y(tick), ink('line')) +
        svgText(LEFT - 8, y(tick) + 4, at(tick), style)
      );
    }),
    ...lines.map(({ points }, index) => {
      const stroke = COLORS[index % COLORS.length] ?? ink('text');
      return `<path d="${pathOf(points, x, y)}" fill="none" stroke="${stroke}" stroke-width="1.6" stroke-linejoin="round"/>`;
    }),
    ...names(lines, y).map(({ name: text, middle, index }) =>
      svgText(WIDTH - RIGHT + 10, middle, text, {
        size: 12,
        fill: COLORS[index % COLORS.length] ?? ink('text'),
        weight: 600,
      }),
    ),
  ].join('\n');
}

function pathOf(
  points: { x: number; y: number }[],
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const begins = before === undefined || point.x - before.x > GAP_MINUTES;
      return `${begins ? 'M' : 'L'}${at(x(point.x))} ${at(y(point.y))}`;
    })
    .join('');
}

/** Names next to the ends of their lines, none on another. */
function names(
  lines: Line[],
  y: (value: number) => number,
): { name: string; middle: number; index: number }[] {
  const placed = lines
    .map(({ name, points }, index) => ({ name, middle: y(points.at(-1)?.y ?? 0) + 4, index }))
    .sort((a, b) => a.middle - b.middle);
  for (const [index, one] of placed.entries()) {
    const above = placed[index - 1];
    if (above !== undefined) one.middle = Math.max(one.middle, above.middle + 15);
  }
  return placed;
}

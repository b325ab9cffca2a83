import type { Translate } from '../../shared/words/i18n.ts';
import type { Sweep, SweepLevel } from '../../shared/model/analysis.ts';
import { labelText } from '../../shared/words/labels.ts';
import { isKnee } from '../../shared/words/wording.ts';
import { asSentence } from '../../shared/words/effect-wording.ts';
import { formatCount, formatLatency, formatRate } from '../../shared/words/units.ts';
import { ticks, type Box } from './chart-layout.ts';
import { at, fitText, INK, svgLine, svgRect, svgText, textWidth } from './svg.ts';

/** Lines differ in color, dash, and point. Hues after Okabe and Ito, darkened. */
const LINES = [
  { color: '#0072b2', dash: '', shape: 'circle' },
  { color: '#c65300', dash: '7 4', shape: 'diamond' },
  { color: '#00855f', dash: '2 3', shape: 'square' },
  { color: '#8e4585', dash: '10 3 2 3', shape: 'triangle' },
  { color: '#26343b', dash: '14 4', shape: 'circle' },
  { color: '#b03060', dash: '4 6', shape: 'diamond' },
] as const;
export const DARK_LINES: Record<string, string> = {
  '#0072b2': '#56b4e9',
  '#c65300': '#f08a3c',
  '#00855f': '#2fc593',
  '#8e4585': '#d68fcf',
  '#26343b': '#dfe8eb',
  '#b03060': '#f48fb1',
};
type LineStyle = (typeof LINES)[number];

const LEGEND_LINE = 24;
const TITLE_HEIGHT = 30;
const FOOT_HEIGHT = 44;
const GUTTER = 40;
const LEAST_PLOT = 150;
const PANELS = ['tps', 'p95'] as const;
type Panel = (typeof PANELS)[number];

interface Point {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  knee: boolean;
}

export function leastSweepHeight(sweeps: readonly Sweep[]): number {
  return TITLE_HEIGHT + LEAST_PLOT + FOOT_HEIGHT + LEGEND_LINE * legendRows(sweeps).length;
}

/**
 * Throughput and 95th percentile side by side, a curve per sweep over connections in powers of two; whiskers are the
 * lowest and highest round, a ring is the knee.
 */
export function sweepSvg(sweeps: readonly Sweep[], box: Box, t: Translate): string {
  const legend = legendRows(sweeps);
  const width = (box.width - GUTTER) / PANELS.length;
  const height = box.height - LEGEND_LINE * legend.length;
  return [
    ...PANELS.map((panel, index) =>
      panelSvg(panel, sweeps, { x: box.x + index * (width + GUTTER), y: box.y, width, height }, t),
    ),
    ...legend.map((row, index) =>
      legendSvg(row, { ...box, y: box.y + height + LEGEND_LINE * (index + 0.5), height: LEGEND_LINE }, t),
    ),
  ].join('\n');
}

function styleOf(index: number): LineStyle {
  return LINES[index % LINES.length] ?? LINES[0];
}

function valueOf({ tps, p95Us }: SweepLevel, panel: Panel): number | null {
  return panel === 'tps' ? tps : p95Us;
}

function panelSvg(panel: Panel, sweeps: readonly Sweep[], box: Box, t: Translate): string {
  const levels = [
    ...new Set(sweeps.flatMap((sweep) => sweep.levels.map(({ connections }) => connections))),
  ].sort((a, b) => a - b);
  const values = sweeps.flatMap((sweep) =>
    sweep.levels.flatMap((level) => [valueOf(level, panel) ?? 0, (panel === 'tps' && level.highTps) || 0]),
  );
  const most = Math.max(...values, 0) * 1.06 || 1;
  const marks = ticks(most);
  const text = (value: number): string => tickText(value, panel, t);
  const left = box.x + Math.max(...marks.map((mark) => textWidth(text(mark), 13))) + 10;
  const [top, bottom] = [box.y + TITLE_HEIGHT, box.y + box.height - FOOT_HEIGHT];
  const right = box.x + box.width - 14;
  const [first = 1, last = first] = [levels[0], levels.at(-1)];
  const span = Math.log2(last) - Math.log2(first) || 1;
  const x = (connections: number): number =>
    left + 14 + ((right - left - 14) * (Math.log2(connections) - Math.log2(first))) / span;
  const y = (value: number): number => bottom - ((bottom - top) * value) / most;
  const title = t(panel === 'tps' ? 'report:sweep.curveTps' : 'report:sweep.curveP95');
  const parts = [
    svgText(box.x, box.y + 15, title, { size: 15, weight: 600, fill: INK.sea }),
    ...marks.flatMap((mark) => [
      svgLine(left, y(mark), right + 14, y(mark), INK.faint),
      svgText(left - 8, y(mark) + 4.5, text(mark), { size: 13, fill: INK.muted, anchor: 'end' }),
    ]),
    ...spacedLabels(levels, x).map((level) =>
      svgText(x(level), bottom + 18, formatCount(level, t.language), {
        size: 13,
        fill: INK.muted,
        anchor: 'middle',
      }),
    ),
    svgText((left + right) / 2, bottom + 36, t('report:sweep.connections'), {
      size: 13,
      fill: INK.muted,
      anchor: 'middle',
    }),
  ];
  for (const [index, sweep] of sweeps.entries()) {
    const points = sweep.levels.flatMap((level): Point[] => {
      const value = valueOf(level, panel);
      if (value === null) return [];
      const { connections, lowTps, highTps } = level;
      const has = panel === 'tps' && lowTps !== null && highTps !== null;
      return [
        {
          x: x(connections),
          y: y(value),
          low: has ? y(lowTps) : null,
          high: has ? y(highTps) : null,
          knee: isKnee(sweep.knee, connections),
        },
      ];
    });
    parts.push(curveSvg(points, styleOf(index)));
  }
  return parts.join('\n');
}

function curveSvg(points: Point[], style: LineStyle): string {
  const line = points
    .map((point, index) => `${index === 0 ? 'M' : 'L'}${at(point.x)} ${at(point.y)}`)
    .join('');
  return [
    ...(points.length > 1
      ? [
          `<path d="${line}" fill="none" stroke="${style.color}" stroke-width="2.5"${style.dash === '' ? '' : ` stroke-dasharray="${style.dash}"`}/>`,
        ]
      : []),
    ...points.flatMap(({ x, low, high }) =>
      low === null || high === null ? [] : [svgLine(x, low, x, high, style.color, 1.5)],
    ),
    ...points.map(({ x, y }) => pointSvg(x, y, style)),
    ...points
      .filter(({ knee }) => knee)
      .map(
        ({ x, y }) =>
          `<circle cx="${at(x)}" cy="${at(y)}" r="10" fill="none" stroke="${style.color}" stroke-width="2"/>`,
      ),
  ].join('\n');
}

function pointSvg(x: number, y: number, { color, shape }: LineStyle): string {
  const path = {
    diamond: `M${at(x)} ${at(y - 6)}l6 6-6 6-6-6z`,
    triangle: `M${at(x)} ${at(y - 6)}l6 10.500h-12z`,
  };
  if (shape === 'circle') return `<circle cx="${at(x)}" cy="${at(y)}" r="4.500" fill="${color}"/>`;
  if (shape === 'square') return svgRect(x - 4.5, y - 4.5, 9, 9, color);
  return `<path d="${path[shape]}" fill="${color}"/>`;
}

function spacedLabels(levels: number[], x: (level: number) => number): number[] {
  let last = -Infinity;
  return levels.filter((level) => {
    if (x(level) - last < 30) return false;
    last = x(level);
    return true;
  });
}

function tickText(value: number, panel: Panel, t: Translate): string {
  if (value === 0) return '0';
  return panel === 'tps' ? formatRate(value, t.language) : formatLatency(value, t.language);
}

interface LegendEntry {
  sweep: Sweep;
  index: number;
}

function legendRows(sweeps: readonly Sweep[]): LegendEntry[][] {
  const entries = sweeps.map((sweep, index) => ({ sweep, index }));
  return Array.from({ length: Math.ceil(entries.length / 2) }, (_, row) =>
    entries.slice(2 * row, 2 * row + 2),
  );
}

function legendSvg(row: LegendEntry[], { x, y, width }: Box, t: Translate): string {
  const half = width / 2;
  return row
    .flatMap(({ sweep, index }, column) => {
      const left = x + column * half;
      const style = styleOf(index);
      const room = { width: half - 70, size: 15, minSize: 10 };
      const name = fitText(asSentence(labelText(sweep.label, t), t), room);
      return [
        `<line x1="${at(left)}" y1="${at(y)}" x2="${at(left + 44)}" y2="${at(y)}" stroke="${style.color}" stroke-width="2.5"${style.dash === '' ? '' : ` stroke-dasharray="${style.dash}"`}/>`,
        pointSvg(left + 22, y, style),
        svgText(left + 54, y + 5, name.lines.join(' '), { size: name.size, fill: INK.text }),
      ];
    })
    .join('\n');
}

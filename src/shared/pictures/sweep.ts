import type { Sweep, SweepLevel } from '../analysis/analysis.ts';
import type { Translate } from '../words/i18n.ts';
import { formatCount, formatLatency, formatRate } from '../units.ts';
import { isKnee } from '../words/wording.ts';
import { ticks } from './bars.ts';
import { at, ink, svgLine, svgRect, svgText } from './svg.ts';

const CURVES = [
  { color: ink('curve-1'), dash: '', shape: 'circle' },
  { color: ink('curve-2'), dash: '7 4', shape: 'diamond' },
  { color: ink('curve-3'), dash: '2 3', shape: 'square' },
  { color: ink('curve-4'), dash: '10 3 2 3', shape: 'triangle' },
  { color: ink('curve-5'), dash: '14 4', shape: 'circle' },
  { color: ink('curve-6'), dash: '4 6', shape: 'diamond' },
] as const;
type Curve = (typeof CURVES)[number];

const MARK_WIDTH = 44;
const FOOT_HEIGHT = 44;
const KNEE_RADIUS = 10;
const CAP = 4;
const DIGIT_WIDTH = 8;
/** Whiskers at one level are drawn side by side. */
const WHISKER_STEP = 5;
export const PANELS = ['tps', 'p95'] as const;
export type Panel = (typeof PANELS)[number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  knee: boolean;
}

/** 44 px wide, centered at y = 0. */
export function curveMark(index: number): string {
  const curve = curveOf(index);
  return `<path d="M0 0H${MARK_WIDTH}" ${strokeOf(curve)}/>${pointSvg(MARK_WIDTH / 2, 0, curve)}`;
}

function curveOf(index: number): Curve {
  return CURVES[index % CURVES.length] ?? CURVES[0];
}

/** Whiskers are the lowest and highest round, a ring is the knee. */
export function sweepPanelSvg(panel: Panel, sweeps: readonly Sweep[], box: Box, t: Translate): string {
  const all = sweeps.flatMap((sweep) => sweep.levels);
  const levels = [...new Set(all.map(({ connections }) => connections))].sort((a, b) => a - b);
  const values = all.flatMap((level) => [
    valueOf(level, panel) ?? 0,
    (panel === 'tps' && level.highTps) || 0,
  ]);
  const most = Math.max(...values, 0) * 1.06 || 1;
  const marks = ticks(most);
  const text = (value: number): string => tickText(value, panel, t);
  const left = box.x + DIGIT_WIDTH * Math.max(...marks.map((mark) => text(mark).length)) + 10;
  const [top, bottom] = [box.y, box.y + box.height - FOOT_HEIGHT];
  const right = box.x + box.width - 14;
  const [first = 1, last = first] = [levels[0], levels.at(-1)];
  const span = Math.log2(last) - Math.log2(first) || 1;
  const x = (connections: number): number =>
    left + 14 + ((right - left - 14) * (Math.log2(connections) - Math.log2(first))) / span;
  const y = (value: number): number => bottom - ((bottom - top) * value) / most;
  const style = { size: 13, fill: ink('text-2'), anchor: 'middle' } as const;
  const curves = sweeps.map((sweep) =>
    sweep.levels.flatMap((level): Point[] => {
      const value = valueOf(level, panel);
      if (value === null) return [];
      const { connections, lowTps, highTps } = level;
      const [low, high] =
        panel === 'tps' && lowTps !== null && highTps !== null ? [y(lowTps), y(highTps)] : [null, null];
      return [{ x: x(connections), y: y(value), low, high, knee: isKnee(sweep.knee, connections) }];
    }),
  );
  const knees = curves.flat().filter(({ knee }) => knee);
  return [
    ...marks.flatMap((mark) => [
      svgLine(left, y(mark), right + 14, y(mark), ink('line')),
      svgText(left - 8, y(mark) + 4.5, text(mark), { ...style, anchor: 'end' }),
    ]),
    ...spacedLabels(levels, x).map((level) =>
      svgText(x(level), bottom + 18, formatCount(level, t.language), style),
    ),
    svgText((left + right) / 2, bottom + 36, t('ui:sweep.connections'), style),
    ...curves.map((points, index) =>
      curveSvg(points, curveOf(index), (index - (sweeps.length - 1) / 2) * WHISKER_STEP),
    ),
    `<g paint-order="stroke" stroke="${ink('surface')}" stroke-width="4" stroke-linejoin="round">`,
    ...knees.map((knee) => {
      // If two knees share a level, the lower one's label is below it.
      const isBelow = knees.some((other) => other.x === knee.x && other.y < knee.y);
      const place = knee.y + (isBelow ? KNEE_RADIUS + 9 : -KNEE_RADIUS - 1);
      return svgText(knee.x + KNEE_RADIUS, place, t('ui:sweep.knee'), {
        size: 12,
        fill: ink('text'),
      });
    }),
    '</g>',
  ].join('\n');
}

function valueOf({ tps, p95Us }: SweepLevel, panel: Panel): number | null {
  return panel === 'tps' ? tps : p95Us;
}

function strokeOf({ color, dash }: Curve): string {
  return `fill="none" stroke="${color}" stroke-width="2.5"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}`;
}

function curveSvg(points: Point[], curve: Curve, aside: number): string {
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('');
  return [
    ...(points.length > 1 ? [`<path d="${line}" ${strokeOf(curve)}/>`] : []),
    ...points.flatMap(({ x, low, high }) =>
      low === null || high === null
        ? []
        : [
            svgLine(x + aside, low, x + aside, high, curve.color, 1.5),
            ...[low, high].map((y) => svgLine(x + aside - CAP, y, x + aside + CAP, y, curve.color, 1.5)),
          ],
    ),
    ...points.map(({ x, y }) => pointSvg(x, y, curve)),
    ...points
      .filter(({ knee }) => knee)
      .map(
        ({ x, y }) =>
          `<circle cx="${at(x)}" cy="${at(y)}" r="${KNEE_RADIUS}" fill="none" stroke="${curve.color}" stroke-width="2"/>`,
      ),
  ].join('\n');
}

function pointSvg(x: number, y: number, { color, shape }: Curve): string {
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

import { equivalenceZone } from '../statistics/estimate.ts';
import type { Bar } from './bars.ts';
import { at, ink, svgLine, svgRect } from './svg.ts';

/** Logarithmic axis; `percent` is 0…100 from left to right. */
export interface RatioAxis {
  least: number;
  most: number;
  percent: (ratio: number) => number;
}

/** Whiskers of very uncertain dots don't count, as they would flatten the rest. */
export function ratioAxis(dots: readonly Bar[]): RatioAxis {
  const values = dots.flatMap(({ value, published }) => [value, published]).filter(isAbove0);
  const [smallest, largest] = [Math.min(0.85, ...values), Math.max(1.18, ...values)];
  const lows = dots.flatMap(({ low }) => (isAbove0(low) ? [Math.max(low, smallest / 1.4)] : []));
  const highs = dots.flatMap(({ high }) => (high === null ? [] : [Math.min(high, largest * 1.4)]));
  const [least, most] = [0.97 * Math.min(smallest, ...lows), 1.03 * Math.max(largest, ...highs)];
  const percent = (ratio: number): number =>
    Math.min(100, Math.max(0, (100 * Math.log(ratio / least)) / Math.log(most / least)));
  return { least, most, percent };
}

function isAbove0(value: number | null): value is number {
  return value !== null && value > 0;
}

/** Marks within each power of ten. */
const MARKS = [
  [1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9],
  [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8],
  [1, 1.5, 2, 3, 5, 7],
  [1, 2, 5],
  [1],
];
const MOST_MARKS = 7;

export function ratioMarks({ least, most }: RatioAxis): number[] {
  const powers = [0.001, 0.01, 0.1, 1, 10, 100, 1000];
  const sets = MARKS.map((marks) =>
    powers
      .flatMap((power) => marks.map((mark) => mark * power))
      .filter((mark) => mark >= least && mark <= most),
  );
  return sets.find(({ length }) => length <= MOST_MARKS) ?? [1];
}

const RADIUS = 5;
const CAP = 6;

/** Content of an SVG that fills a table's cell; the line of 1 joins all rows. */
export function dotCell({ value, low, high, fill, isOpen, published, margin }: Bar, axis: RatioAxis): string {
  const x = (ratio: number): string => `${at(axis.percent(ratio))}%`;
  const [from, to] = equivalenceZone(margin).map(axis.percent) as [number, number];
  const zone = svgRect(`${at(from)}%`, 0, `${at(to - from)}%`, '100%', ink('accent-soft'));
  const line = `<g stroke-dasharray="4 4">${svgLine(x(1), 0, x(1), '100%', ink('text-2'), 1.5)}</g>`;
  const drawn = (ratio: number, shape: string): string =>
    `<svg x="${x(ratio)}" y="50%" overflow="visible">${shape}</svg>`;
  const cap = `<path d="M0 -${CAP}V${CAP}"/>`;
  const arrow = (sign: number): string => `<path d="M${7 * sign} -${CAP}L0 0L${7 * sign} ${CAP}"/>`;
  const whisker =
    low === null || high === null
      ? ''
      : `<g fill="none" stroke="${ink('text')}" stroke-width="1.5">${svgLine(x(low), '50%', x(high), '50%', ink('text'), 1.5)}${drawn(low, low < axis.least ? arrow(1) : cap)}${drawn(high, high > axis.most ? arrow(-1) : cap)}</g>`;
  const color = isOpen ? ink('inconclusive') : fill;
  const dot =
    value === null
      ? ''
      : drawn(
          value,
          `<circle r="${RADIUS}" fill="${isOpen ? ink('surface') : color}" stroke="${isOpen ? color : ink('surface')}" stroke-width="${isOpen ? 2.5 : 1.5}"/>`,
        );
  const other =
    published === null
      ? ''
      : drawn(
          published,
          `<path d="M0 -7L6 0L0 7L-6 0Z" fill="none" stroke="${ink('text-2')}" stroke-width="1.5"/>`,
        );
  return zone + line + whisker + other + dot;
}

export function ratioAxisSvg(axis: RatioAxis, textOf: (mark: number) => string): string {
  return ratioMarks(axis)
    .map(
      (mark) =>
        `<text class="axis" x="${at(axis.percent(mark))}%" y="12" text-anchor="middle">${textOf(mark)}</text>`,
    )
    .join('');
}

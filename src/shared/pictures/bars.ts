import { FLAGS, type Flag } from '../analysis/analysis.ts';
import type { Verdict } from '../model/names.ts';
import { equivalenceZone, type RatioEstimate } from '../statistics/estimate.ts';
import { at, ink, svgFrame, svgLine, svgRect, type Length } from './svg.ts';

export type Tone = Verdict | 'baseline';

export interface Bar {
  value: number | null;
  low: number | null;
  high: number | null;
  fill: string;
  isOpen: boolean;
  patterns: readonly string[];
  published: number | null;
  /** Half-width of "the same". */
  margin: number;
}

export const NO_BAR: Bar = {
  value: null,
  low: null,
  high: null,
  fill: '',
  isOpen: false,
  patterns: [],
  published: null,
  margin: 0,
};

/** A baseline has no whisker: its ratio is 1. */
export function ratioBar(
  { ratio, margin }: { ratio: Pick<RatioEstimate, 'value' | 'low' | 'high'> | null; margin: number },
  tone: Tone,
  flags: readonly Flag[] = [],
  published: number | null = null,
): Bar {
  const [low, high] = tone === 'baseline' ? [null, null] : [ratio?.low ?? null, ratio?.high ?? null];
  const isOpen = tone === 'inconclusive';
  return {
    value: ratio?.value ?? null,
    low,
    high,
    fill: ink(tone),
    isOpen,
    patterns: flags,
    published,
    margin,
  };
}

/** Light and dark lines show on every color. */
const FLAG_PATTERNS: Record<Flag, string> = {
  'not-durable':
    'width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">' +
    `<rect width="2" height="9" fill="${ink('surface')}" opacity="0.55"/><rect x="2" width="1" height="9" fill="${ink('text')}" opacity="0.7"/>`,
  'client-limited':
    'width="9" height="9" patternUnits="userSpaceOnUse">' +
    `<circle cx="4.5" cy="4.5" r="2.1" fill="${ink('surface')}" opacity="0.7"/><circle cx="4.5" cy="4.5" r="1.1" fill="${ink('text')}"/>`,
};

export const BAR_PATTERNS =
  FLAGS.map((flag) => `<pattern id="${flag}" ${FLAG_PATTERNS[flag]}</pattern>`).join('') +
  '<pattern id="inconclusive" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  `<rect width="7" height="7" fill="${ink('surface-2')}"/><rect width="3" height="7" fill="${ink('inconclusive')}"/></pattern>`;

/** Pixels of `width`, or a share of a box of any width. */
export interface Scale {
  most: number;
  x: (value: number) => Length;
}

export function scaleTo(most: number, width?: number): Scale {
  const share = (value: number): number => Math.min(1, Math.max(0, value / most));
  return {
    most,
    x: (value) => (width === undefined ? `${at(100 * share(value))}%` : width * share(value)),
  };
}

/** Whiskers of very uncertain values don't count, as they would flatten the rest. */
export function axisEnd(bars: readonly Bar[], reference: number): number {
  const values = bars.flatMap(({ value, published }) => [value ?? 0, published ?? 0]);
  const largest = Math.max(reference, ...values);
  const end = 1.04 * Math.max(largest, ...bars.map(({ high }) => Math.min(high ?? 0, 1.4 * largest)));
  return end > 0 ? end : 1;
}

/** `most` must be above 0. */
export function ticks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const step =
    [0.1, 0.2, 0.25, 0.5, 1, 2].map((one) => one * power).find((one) => most / one <= 6.5) ?? power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

export function zoneSvg({ x }: Scale, margin: number, height: Length): string {
  const [from, to] = equivalenceZone(margin);
  return svgRect(x(from), 0, x(to - from), height, ink('accent-soft'));
}

export function referenceSvg({ x }: Scale, height: Length): string {
  return `<g stroke-dasharray="4 4">${svgLine(x(1), 0, x(1), height, ink('text'), 1.5)}</g>`;
}

function barHeight({ published }: Pick<Bar, 'published'>, rowHeight: number): number {
  return published === null ? Math.min(38, rowHeight * 0.62) : Math.min(24, rowHeight * 0.4);
}

function barMiddle(bar: Pick<Bar, 'published'>, rowHeight: number): number {
  return bar.published === null ? 0 : -barHeight(bar, rowHeight) * 0.42;
}

function publishedPlace(rowHeight: number): { top: number; height: number } {
  const measured = { published: 0 };
  const top =
    barMiddle(measured, rowHeight) + barHeight(measured, rowHeight) / 2 + Math.min(3, rowHeight * 0.04);
  return { top, height: Math.min(15, rowHeight * 0.32) };
}

export function barSvg(bar: Bar, scale: Scale, rowHeight: number): string {
  const { value, low, high, fill, isOpen, patterns, published } = bar;
  const { most, x } = scale;
  const [middle, height] = [barMiddle(bar, rowHeight), barHeight(bar, rowHeight)];
  const parts: string[] = [];
  if (value !== null) {
    const width = x(Math.max(value, most / 200));
    for (const one of [
      isOpen ? 'url(#inconclusive)' : fill,
      ...patterns.map((pattern) => `url(#${pattern})`),
    ]) {
      parts.push(svgRect(0, middle - height / 2, width, height, one, 2));
    }
  }
  if (low !== null && high !== null) {
    const cap = height * 0.28;
    const upright = (place: Length): string =>
      `<line x1="${at(place)}" y1="${at(middle - cap)}" x2="${at(place)}" y2="${at(middle + cap)}"/>`;
    const arrow = `<svg x="${at(x(most))}" y="${at(middle)}" overflow="visible"><path d="M-7 ${at(-cap)}L0 0L-7 ${at(cap)}"/></svg>`;
    const whisker =
      `<line x1="${at(x(low))}" y1="${at(middle)}" x2="${at(x(high))}" y2="${at(middle)}"/>` +
      upright(x(low)) +
      (high > most ? arrow : upright(x(high)));
    // A light edge shows on every bar.
    parts.push(`<g fill="none" stroke="${ink('surface')}" stroke-width="4">${whisker}</g>`);
    parts.push(`<g fill="none" stroke="${ink('text')}" stroke-width="2">${whisker}</g>`);
  }
  if (published !== null) {
    const place = publishedPlace(rowHeight);
    parts.push(svgFrame(0, place.top, x(published), place.height, ink('text-2')));
  }
  return parts.join('\n');
}

export function axisSvg({ most, x }: Scale, textOf: (tick: number) => string): string {
  const anchor = (tick: number): string => (tick === 0 ? 'start' : 'middle');
  return ticks(most)
    .map(
      (tick) =>
        `<text class="axis" x="${at(x(tick))}" y="12" text-anchor="${anchor(tick)}">${textOf(tick)}</text>`,
    )
    .join('');
}

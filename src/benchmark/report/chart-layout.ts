import type { Flag } from '../../shared/model/analysis.ts';
import { fitText, textWidth, type Weight } from './svg.ts';

export interface ChartRow {
  label: string;
  value: number | null;
  low: number | null;
  high: number | null;
  tone: 'baseline' | 'slower' | 'faster' | 'same' | 'inconclusive';
  flags: Flag[];
  verdict: string;
  rates: string[];
  remark: string;
  published: { value: number; text: string } | null;
}

export interface ChartGroup {
  title: string | null;
  rows: ChartRow[];
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const LABEL_WIDTH = 350;
export const LABEL_ROOM = 325;
export const VERDICT_WIDTH = 198;
export const GAP = 16;
const AXIS_HEIGHT = 24;
const RATE_WIDTHS = { least: 86, most: 190 };
const TALLEST_ROW = 76;
const LEAST_ROW = { measured: 25, published: 32 };
const TITLE_SHARE = 0.9;
const TITLE_HEIGHTS = { least: 24, most: 34 };

export function leastChartHeight(groups: ChartGroup[]): number {
  const rows = groups.flatMap((group) => group.rows);
  const hasPublished = rows.some(({ published }) => published !== null);
  const titles = groups.filter(({ title }) => title !== null).length;
  const least = hasPublished ? LEAST_ROW.published : LEAST_ROW.measured;
  return AXIS_HEIGHT + rows.length * least + titles * TITLE_HEIGHTS.least;
}

interface Sizes {
  row: number;
  label: number;
  verdict: number;
}

type PlacedLine =
  | { kind: 'row'; row: ChartRow; middle: number }
  | { kind: 'title'; title: string; top: number; middle: number };

export interface Layout {
  lines: PlacedLine[];
  rowHeight: number;
  top: number;
  bottom: number;
  left: number;
  width: number;
  rateWidth: number;
  most: number;
  x: (value: number) => number;
  sizes: Sizes;
}

export function layoutOf(groups: ChartGroup[], box: Box, reference: number): Layout {
  const rows = groups.flatMap((group) => group.rows);
  const titles = groups.filter(({ title }) => title !== null).length;
  const room = box.height - AXIS_HEIGHT;
  const shared = room / Math.max(1, rows.length + titles * TITLE_SHARE);
  const titleHeight = Math.min(TITLE_HEIGHTS.most, Math.max(TITLE_HEIGHTS.least, shared * TITLE_SHARE));
  const rowHeight = Math.min(TALLEST_ROW, (room - titles * titleHeight) / Math.max(1, rows.length));
  const start = box.y + (room - rows.length * rowHeight - titles * titleHeight) / 2;
  const top = start + (typeof groups[0]?.title === 'string' ? titleHeight : 0);
  const lines: PlacedLine[] = [];
  let y = start;
  for (const { title, rows: own } of groups) {
    if (title !== null) {
      lines.push({ kind: 'title', title, top: y, middle: y + titleHeight * 0.58 });
      y += titleHeight;
    }
    for (const row of own) {
      lines.push({ kind: 'row', row, middle: y + rowHeight / 2 });
      y += rowHeight;
    }
  }
  const sizes = sharedSizes(rows, rowHeight);
  const rateWidth = rateWidthOf(rows, rowHeight, sizes);
  const left = box.x + LABEL_WIDTH + GAP;
  const width = box.width - LABEL_WIDTH - VERDICT_WIDTH - rateWidth - 3 * GAP;
  const most = Math.max(axisEnd(rows, reference), publishedEnd(rows, width, rowHeight));
  const x = (value: number): number => left + (width * Math.min(value, most)) / most;
  return { lines, rowHeight, top, bottom: y, left, width, rateWidth, most, x, sizes };
}

/** Names shrink together down to 14, then wrap or shrink one by one; verdicts shrink together. */
function sharedSizes(rows: ChartRow[], rowHeight: number): Sizes {
  const row = Math.min(18, rowHeight * 0.6);
  const fitting = (text: string, width: number, minSize: number, weight: Weight): number =>
    fitText(text, { width, size: row, minSize: Math.min(row, minSize), weight }).size;
  return {
    row,
    label: Math.min(row, ...rows.map(({ label, tone }) => fitting(label, LABEL_ROOM, 14, labelWeight(tone)))),
    verdict: Math.min(row, ...rows.map(({ verdict }) => fitting(verdict, VERDICT_WIDTH, 11, 600))),
  };
}

export function labelWeight(tone: ChartRow['tone']): Weight {
  return tone === 'baseline' ? 600 : 400;
}

export function rateLines(rates: string[], rowHeight: number): string[] {
  return rates.length > 1 && rowHeight < 15 * rates.length + 4 ? [rates.join(' · ')] : rates;
}

export function rateSize(rates: string[], { row }: Sizes): number {
  return Math.min(rates.length > 1 ? 13 : 16, row);
}

function rateWidthOf(rows: ChartRow[], rowHeight: number, sizes: Sizes): number {
  const widths = rows.flatMap(({ rates }) => {
    const lines = rateLines(rates, rowHeight);
    return lines.map((line) => textWidth(line, rateSize(lines, sizes)));
  });
  return Math.min(RATE_WIDTHS.most, Math.max(RATE_WIDTHS.least, ...widths));
}

/** Fits all bars, but not the whiskers of very uncertain values, which would flatten the rest. */
function axisEnd(rows: ChartRow[], reference: number): number {
  const values = rows.flatMap(({ value, published }) =>
    [value, published?.value ?? null].flatMap((one) => (one === null ? [] : [one])),
  );
  const largest = Math.max(reference, ...values);
  const whiskers = rows.flatMap(({ high }) => (high === null ? [] : [Math.min(high, 1.4 * largest)]));
  const end = 1.04 * Math.max(largest, ...whiskers);
  return end > 0 ? end : 1;
}

function publishedEnd(rows: ChartRow[], width: number, rowHeight: number): number {
  const ends = rows.flatMap(({ published }) =>
    published === null
      ? []
      : [(published.value * width) / (width - publishedRoom(published.text, rowHeight))],
  );
  return Math.max(0, ...ends);
}

export const publishedHeight = (rowHeight: number): number => Math.min(15, rowHeight * 0.32);
export const publishedSize = (rowHeight: number): number => Math.min(11, publishedHeight(rowHeight) * 0.95);
export function publishedRoom(text: string, rowHeight: number): number {
  return textWidth(text, publishedSize(rowHeight)) + 12;
}

export function ticks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const step =
    [0.1, 0.2, 0.25, 0.5, 1, 2].map((one) => one * power).find((one) => most / one <= 6.5) ?? power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

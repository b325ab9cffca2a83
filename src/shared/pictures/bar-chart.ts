import {
  axisEnd,
  barHeight,
  barMiddle,
  barSvg,
  publishedPlace,
  referenceSvg,
  scaleTo,
  ticks,
  zoneSvg,
  type Bar,
  type Scale,
} from './bars.ts';
import { ink, svgLine, svgRect, svgText } from './svg.ts';
import type { Box } from './sweep.ts';
import { fitText, textWidth, type Weight } from './text.ts';

export interface ChartRow {
  label: string;
  isBaseline: boolean;
  bar: Bar;
  publishedText: string;
  verdict: string;
  /** Color of the verdict. */
  color: string;
  rates: string[];
  remark: string;
}

export interface ChartGroup {
  title: string | null;
  rows: ChartRow[];
}

interface ChartOptions {
  /** Of ratios; null for other numbers. */
  equivalence: number | null;
  tickText: (value: number) => string;
}

const LABEL_WIDTH = 350;
const LABEL_ROOM = 325;
const VERDICT_WIDTH = 198;
const GAP = 16;
const AXIS_HEIGHT = 24;
const RATE_WIDTHS = { least: 86, most: 190 };
const TALLEST_ROW = 76;
const LEAST_ROW = { measured: 25, published: 32 };
const TITLE_SHARE = 0.9;
const TITLE_HEIGHTS = { least: 24, most: 34 };

export function leastChartHeight(groups: ChartGroup[]): number {
  const rows = groups.flatMap((group) => group.rows);
  const hasPublished = rows.some(({ bar }) => bar.published !== null);
  const titles = groups.filter(({ title }) => title !== null).length;
  const least = hasPublished ? LEAST_ROW.published : LEAST_ROW.measured;
  return AXIS_HEIGHT + rows.length * least + titles * TITLE_HEIGHTS.least;
}

interface Sizes {
  row: number;
  label: number;
  verdict: number;
}

interface Layout {
  rowHeight: number;
  left: number;
  width: number;
  right: number;
  rateWidth: number;
  sizes: Sizes;
  scale: Scale;
}

export function barChartSvg(groups: ChartGroup[], box: Box, options: ChartOptions): string {
  const rows = groups.flatMap((group) => group.rows);
  const titles = groups.filter(({ title }) => title !== null).length;
  const room = box.height - AXIS_HEIGHT;
  const shared = room / Math.max(1, rows.length + titles * TITLE_SHARE);
  const titleHeight = Math.min(TITLE_HEIGHTS.most, Math.max(TITLE_HEIGHTS.least, shared * TITLE_SHARE));
  const rowHeight = Math.min(TALLEST_ROW, (room - titles * titleHeight) / Math.max(1, rows.length));
  const layout = layoutOf(rows, box, rowHeight, options.equivalence === null ? 0 : 1);
  const start = box.y + (room - rows.length * rowHeight - titles * titleHeight) / 2;
  const top = start + (typeof groups[0]?.title === 'string' ? titleHeight : 0);
  const bars: string[] = [];
  const words: string[] = [];
  let y = start;
  for (const { title, rows: own } of groups) {
    if (title !== null) {
      words.push(titleSvg(title, y, y + titleHeight * 0.58, box));
      y += titleHeight;
    }
    for (const row of own) {
      const middle = y + rowHeight / 2;
      bars.push(moved(layout.left, middle, barSvg(row.bar, layout.scale, rowHeight)));
      words.push(wordsSvg(row, middle, box.x, layout));
      y += rowHeight;
    }
  }
  const back = (svg: string): string => (options.equivalence === null ? '' : moved(layout.left, top, svg));
  return [
    axisSvg(rows, layout, { top, bottom: y }, options.tickText),
    back(zoneSvg(layout.scale, options.equivalence ?? 0, y - top)),
    ...bars,
    back(referenceSvg(layout.scale, y - top)),
    ...words,
  ].join('\n');
}

function moved(x: number, y: number, svg: string): string {
  return svg === '' ? '' : `<g transform="translate(${x.toFixed(2)} ${y.toFixed(2)})">${svg}</g>`;
}

function layoutOf(rows: ChartRow[], box: Box, rowHeight: number, reference: number): Layout {
  const sizes = sharedSizes(rows, rowHeight);
  const widths = rows.flatMap(({ rates }) => {
    const lines = rateLines(rates, rowHeight);
    return lines.map((line) => textWidth(line, rateSize(lines, sizes)));
  });
  const rateWidth = Math.min(RATE_WIDTHS.most, Math.max(RATE_WIDTHS.least, ...widths));
  const width = box.width - LABEL_WIDTH - VERDICT_WIDTH - rateWidth - 3 * GAP;
  const withText = rows.map(
    ({ bar, publishedText }) =>
      ((bar.published ?? 0) * width) / (width - publishedRoom(publishedText, rowHeight)),
  );
  const bars = rows.map(({ bar }) => bar);
  return {
    rowHeight,
    left: box.x + LABEL_WIDTH + GAP,
    width,
    right: box.x + box.width,
    rateWidth,
    sizes,
    scale: scaleTo(Math.max(axisEnd(bars, reference), ...withText), width),
  };
}

/** Names shrink together down to 14, then wrap or shrink one by one; verdicts shrink together. */
function sharedSizes(rows: ChartRow[], rowHeight: number): Sizes {
  const row = Math.min(18, rowHeight * 0.6);
  const fitting = (text: string, width: number, minSize: number, weight: Weight): number =>
    fitText(text, { width, size: row, minSize: Math.min(row, minSize), weight }).size;
  return {
    row,
    label: Math.min(row, ...rows.map((one) => fitting(one.label, LABEL_ROOM, 14, labelWeight(one)))),
    verdict: Math.min(row, ...rows.map(({ verdict }) => fitting(verdict, VERDICT_WIDTH, 11, 600))),
  };
}

function labelWeight({ isBaseline }: ChartRow): Weight {
  return isBaseline ? 600 : 400;
}

function rateLines(rates: string[], rowHeight: number): string[] {
  return rates.length > 1 && rowHeight < 15 * rates.length + 4 ? [rates.join(' · ')] : rates;
}

function rateSize(rates: string[], { row }: Sizes): number {
  return Math.min(rates.length > 1 ? 13 : 16, row);
}

function publishedSize(rowHeight: number): number {
  return Math.min(11, publishedPlace(rowHeight).height * 0.95);
}

function publishedRoom(text: string, rowHeight: number): number {
  return textWidth(text, publishedSize(rowHeight)) + 12;
}

function axisSvg(
  rows: ChartRow[],
  { left, scale, width }: Layout,
  { top, bottom }: { top: number; bottom: number },
  tickText: (value: number) => string,
): string {
  if (rows.every(({ bar }) => bar.value === null && bar.published === null)) return '';
  const style = { size: 13, fill: ink('text-2'), anchor: 'middle' } as const;
  return ticks(scale.most)
    .map((tick) => {
      const x = left + (width * tick) / scale.most;
      return svgLine(x, top, x, bottom, ink('line')) + svgText(x, bottom + 17, tickText(tick), style);
    })
    .join('\n');
}

function titleSvg(title: string, top: number, middle: number, box: Box): string {
  const { lines, size } = fitText(title, { width: box.width, size: 15, minSize: 11, weight: 600 });
  const line = centered(middle, size);
  const under = line + size * 0.42;
  return [
    svgRect(box.x, top, box.width, under - top, ink('surface')),
    svgText(box.x, line, lines.join(' '), { size, weight: 600, fill: ink('accent') }),
    svgLine(box.x, under, box.x + box.width, under, ink('line')),
  ].join('\n');
}

function wordsSvg(row: ChartRow, middle: number, x: number, layout: Layout): string {
  const { rowHeight, rateWidth, right, left, width, scale, sizes } = layout;
  const { bar, label, remark, verdict, publishedText } = row;
  const weight = labelWeight(row);
  const parts: string[] = [];
  const lines = rowHeight >= 36 ? 2 : 1;
  const named = fitText(label, { width: LABEL_ROOM, size: sizes.label, minSize: 11, weight, lines });
  const fill = ink(bar.value === null ? 'text-2' : 'text');
  for (const { line, y } of stacked(named.lines, middle, named.size)) {
    parts.push(svgText(x, y, line, { size: named.size, weight, fill }));
  }
  if (bar.value === null && remark !== '') {
    const taken = (row.rates.length > 0 ? rateWidth + GAP : 0) + (verdict === '' ? 0 : VERDICT_WIDTH + GAP);
    const most = bar.published === null ? Infinity : barHeight(bar, rowHeight) * 0.85;
    const size = Math.min(15, sizes.row, most);
    const place = middle + barMiddle(bar, rowHeight);
    const room = { width: right - left - 16 - taken, size, minSize: Math.min(11, size) };
    parts.push(coveringText(left + 8, place, remark, room, width));
  }
  if (verdict !== '') {
    const fitted = fitText(verdict, { width: VERDICT_WIDTH, size: sizes.verdict, minSize: 11, weight: 600 });
    const style = { size: fitted.size, weight: 600, fill: row.color } as const;
    const start = right - rateWidth - GAP - VERDICT_WIDTH;
    parts.push(svgText(start, centered(middle, fitted.size), fitted.lines.join(' '), style));
  }
  const rates = rateLines(row.rates, rowHeight);
  const rateStyle = { fill: ink('text-2'), anchor: 'end' } as const;
  for (const { line, y } of stacked(rates, middle, rateSize(rates, sizes))) {
    const rate = fitText(line, { width: rateWidth, size: rateSize(rates, sizes), minSize: 10 });
    parts.push(svgText(right, y, rate.lines.join(' '), { ...rateStyle, size: rate.size }));
  }
  if (bar.published !== null) {
    const { top, height } = publishedPlace(rowHeight);
    const size = publishedSize(rowHeight);
    const end = left + (width * bar.published) / scale.most;
    const room = { width, size, minSize: size };
    parts.push(coveringText(end + 6, middle + top + height / 2, publishedText, room, width));
  }
  return parts.join('\n');
}

/** On a patch that hides the lines of the axis. */
function coveringText(
  x: number,
  middle: number,
  text: string,
  room: Parameters<typeof fitText>[1],
  most: number,
): string {
  const { lines, size } = fitText(text, room);
  const line = lines.join(' ');
  const covered = Math.min(most, textWidth(line, size) * 1.04 + 8);
  return [
    svgRect(x - 4, middle - size * 0.55, covered, size * 1.1, ink('surface')),
    svgText(x, centered(middle, size), line, { size, fill: ink('text-2') }),
  ].join('\n');
}

function stacked(lines: string[], middle: number, size: number): { line: string; y: number }[] {
  const height = size * 1.2;
  const first = centered(middle, size) - ((lines.length - 1) * height) / 2;
  return lines.map((line, index) => ({ line, y: first + index * height }));
}

function centered(middle: number, size: number): number {
  return middle + size * 0.36;
}

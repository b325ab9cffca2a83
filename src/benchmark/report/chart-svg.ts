import {
  GAP,
  LABEL_ROOM,
  labelWeight,
  layoutOf,
  publishedHeight,
  publishedRoom,
  publishedSize,
  rateLines,
  rateSize,
  ticks,
  VERDICT_WIDTH,
  type Box,
  type ChartGroup,
  type ChartRow,
  type Layout,
} from './chart-layout.ts';
import { FLAGS, type Flag } from '../../shared/model/analysis.ts';
import { at, fitText, INK, svgFrame, svgLine, svgRect, svgText, textWidth } from './svg.ts';

export const ZONE = '#e8eff6';
export const HATCHED = '#e3e9f0';

export interface ChartOptions {
  reference: { value: number; zone: [number, number] } | null;
  tickText: (value: number) => string;
}

const FILL: Record<ChartRow['tone'], string> = {
  baseline: INK.deep,
  slower: INK.slower,
  faster: INK.faster,
  same: INK.same,
  inconclusive: 'url(#inconclusive)',
};
const TEXT: Record<ChartRow['tone'], string> = {
  baseline: INK.deep,
  slower: INK.slower,
  faster: INK.faster,
  same: INK.muted,
  inconclusive: INK.muted,
};

/** Light and dark, so that it shows on every color. */
const FLAG_PATTERNS: Record<Flag, string> = {
  'not-durable':
    'width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">' +
    `<rect width="2" height="9" fill="${INK.paper}" opacity="0.55"/><rect x="2" width="1" height="9" fill="${INK.text}" opacity="0.7"/>`,
  'client-limited':
    'width="9" height="9" patternUnits="userSpaceOnUse">' +
    `<circle cx="4.5" cy="4.5" r="2.1" fill="${INK.paper}" opacity="0.7"/><circle cx="4.5" cy="4.5" r="1.1" fill="${INK.text}"/>`,
};

/** Bars without enough evidence are hatched; flags are patterns on top. */
export const CHART_DEFINITIONS =
  FLAGS.map((flag) => `<pattern id="${flag}" ${FLAG_PATTERNS[flag]}</pattern>`).join('') +
  '<pattern id="inconclusive" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  `<rect width="7" height="7" fill="${HATCHED}"/><rect width="3" height="7" fill="${INK.inconclusive}"/></pattern>`;

/**
 * Horizontal bars with interval whiskers, which end in an arrowhead beyond the axis; published numbers are hollow
 * bars. All groups share an axis.
 */
export function chartSvg(groups: ChartGroup[], box: Box, options: ChartOptions): string {
  const layout = layoutOf(groups, box, options.reference?.value ?? 0);
  const { top, bottom, most, x } = layout;
  const rows = layout.lines.flatMap((line) => (line.kind === 'row' ? [line] : []));
  const parts: string[] = [];
  const drawn = rows.some(({ row }) => row.value !== null || row.published !== null);
  for (const tick of drawn ? ticks(most) : []) {
    parts.push(svgLine(x(tick), top, x(tick), bottom, INK.faint));
    const style = { size: 13, fill: INK.muted, anchor: 'middle' } as const;
    parts.push(svgText(x(tick), bottom + 17, options.tickText(tick), style));
  }
  if (options.reference !== null) {
    const [from, to] = options.reference.zone;
    parts.push(svgRect(x(from), top, x(to) - x(from), bottom - top, ZONE));
  }
  parts.push(...rows.map(({ row, middle }) => barSvg(row, middle, layout)));
  if (options.reference !== null) {
    const line = x(options.reference.value);
    parts.push(
      `<line x1="${at(line)}" y1="${at(top)}" x2="${at(line)}" y2="${at(bottom)}" stroke="${INK.deep}" stroke-width="1.5" stroke-dasharray="4 4"/>`,
    );
  }
  parts.push(
    ...layout.lines.map((line) =>
      line.kind === 'row' ? wordsSvg(line.row, line.middle, box, layout) : titleSvg(line, box),
    ),
  );
  parts.push(...rows.map(({ row, middle }) => publishedSvg(row, middle, layout)));
  return parts.filter((part) => part !== '').join('\n');
}

function titleSvg({ title, top, middle }: { title: string; top: number; middle: number }, box: Box): string {
  const fitted = fitText(title, { width: box.width, size: 15, minSize: 11, weight: 600 });
  const text = fitted.lines.join(' ');
  const line = centered(middle, fitted.size);
  const under = line + fitted.size * 0.42;
  return [
    svgRect(box.x, top, box.width, under - top, INK.paper),
    svgText(box.x, line, text, { size: fitted.size, weight: 600, fill: INK.sea }),
    svgLine(box.x, under, box.x + box.width, under, INK.faint),
  ].join('\n');
}

function wordsSvg(row: ChartRow, middle: number, box: Box, layout: Layout): string {
  const { rowHeight, rateWidth, sizes } = layout;
  const right = box.x + box.width;
  const weight = labelWeight(row.tone);
  const lines = rowHeight >= 36 ? 2 : 1;
  const label = fitText(row.label, { width: LABEL_ROOM, size: sizes.label, minSize: 11, weight, lines });
  const fill = row.value === null ? INK.muted : INK.text;
  const parts = stacked(label.lines, middle, label.size).map(({ line, y }) =>
    svgText(box.x, y, line, { size: label.size, weight, fill }),
  );
  if (row.value === null && row.remark !== '') parts.push(remarkSvg(row, middle, right, layout));
  if (row.verdict !== '') {
    const room = { width: VERDICT_WIDTH, size: sizes.verdict, minSize: 11, weight: 600 } as const;
    const verdict = fitText(row.verdict, room);
    const style = { size: verdict.size, weight: 600, fill: TEXT[row.tone] } as const;
    const x = right - rateWidth - GAP - VERDICT_WIDTH;
    parts.push(svgText(x, centered(middle, verdict.size), verdict.lines.join(' '), style));
  }
  const rates = rateLines(row.rates, rowHeight);
  for (const { line, y } of stacked(rates, middle, rateSize(rates, sizes))) {
    const rate = fitText(line, { width: rateWidth, size: rateSize(rates, sizes), minSize: 10 });
    parts.push(svgText(right, y, rate.lines.join(' '), { size: rate.size, fill: INK.muted, anchor: 'end' }));
  }
  return parts.join('\n');
}

function remarkSvg(row: ChartRow, rowMiddle: number, right: number, layout: Layout): string {
  const { left, width, rowHeight, rateWidth, sizes } = layout;
  const { middle, height } = barPlace(row, rowMiddle, rowHeight);
  const taken = (row.rates.length > 0 ? rateWidth + GAP : 0) + (row.verdict === '' ? 0 : VERDICT_WIDTH + GAP);
  const size = Math.min(15, sizes.row, row.published === null ? Infinity : height * 0.85);
  const room = { width: right - left - 16 - taken, size, minSize: Math.min(11, size) };
  const remark = fitText(row.remark, room);
  const text = remark.lines.join(' ');
  const covered = Math.min(width, textWidth(text, remark.size) * 1.04 + 12);
  return [
    svgRect(left + 2, middle - remark.size * 0.75, covered, remark.size * 1.5, INK.paper),
    svgText(left + 8, centered(middle, remark.size), text, { size: remark.size, fill: INK.muted }),
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

function barPlace({ published }: ChartRow, middle: number, rowHeight: number) {
  if (published === null) return { middle, height: Math.min(38, rowHeight * 0.62) };
  const height = Math.min(24, rowHeight * 0.4);
  return { middle: middle - height * 0.42, height };
}

function barSvg(row: ChartRow, rowMiddle: number, { left, rowHeight, most, x }: Layout): string {
  if (row.value === null) return '';
  const { middle, height } = barPlace(row, rowMiddle, rowHeight);
  const [top, width] = [middle - height / 2, Math.max(2, x(row.value) - left)];
  const fills = [FILL[row.tone], ...row.flags.map((flag) => `url(#${flag})`)];
  const parts = fills.map((fill) => svgRect(left, top, width, height, fill, 2));
  if (row.low === null || row.high === null || row.tone === 'baseline') return parts.join('\n');
  const cap = height * 0.28;
  const [from, to] = [x(row.low), x(row.high)];
  for (const [stroke, extra] of [
    [INK.paper, 2],
    [INK.text, 0],
  ] as const) {
    parts.push(svgLine(from, middle, to, middle, stroke, 2 + extra));
    parts.push(svgLine(from, middle - cap, from, middle + cap, stroke, 2 + extra));
    parts.push(
      row.high > most
        ? `<path d="M${at(to - 7)} ${at(middle - cap)}L${at(to)} ${at(middle)}L${at(to - 7)} ${at(middle + cap)}" fill="none" stroke="${stroke}" stroke-width="${2 + extra}"/>`
        : svgLine(to, middle - cap, to, middle + cap, stroke, 2 + extra),
    );
  }
  return parts.join('\n');
}

function publishedSvg(row: ChartRow, rowMiddle: number, { left, rowHeight, x }: Layout): string {
  const { published } = row;
  if (published === null) return '';
  const bar = barPlace(row, rowMiddle, rowHeight);
  const height = publishedHeight(rowHeight);
  const top = bar.middle + bar.height / 2 + Math.min(3, rowHeight * 0.04);
  const end = Math.max(left + 2, x(published.value));
  const size = publishedSize(rowHeight);
  return [
    svgFrame(left + 0.75, top, end - left - 0.75, height, INK.published, 1.5),
    svgRect(end + 3, top, publishedRoom(published.text, rowHeight) - 6, height, INK.paper),
    svgText(end + 6, centered(top + height / 2, size), published.text, { size, fill: INK.published }),
  ].join('\n');
}

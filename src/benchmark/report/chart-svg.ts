import { at, INK, svgLine, svgRect, svgText } from './svg.ts';
import { fitText, textWidth } from './text-metrics.ts';

/** One bar. Values are on the axis's scale: ratios to the baseline, or rates when there is no baseline. */
export interface ChartRow {
  label: string;
  value: number | null;
  low: number | null;
  high: number | null;
  tone: 'baseline' | 'slower' | 'faster' | 'same' | 'unsettled';
  /** Right of the bar: the verdict, and the rate. */
  verdict: string;
  rate: string;
  /** Stands in place of a bar that cannot be drawn. */
  remark: string;
}

export interface ChartOptions {
  /** Where a line is drawn through all bars; null: nowhere. */
  reference: { value: number; zone: [number, number] } | null;
  tickText: (value: number) => string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const LABEL_WIDTH = 350;
const VERDICT_WIDTH = 178;
const RATE_WIDTH = 92;
const GAP = 16;
const AXIS_HEIGHT = 24;
const TALLEST_ROW = 76;

const FILL: Record<ChartRow['tone'], string> = {
  baseline: INK.deep,
  slower: INK.slower,
  faster: INK.faster,
  same: INK.same,
  unsettled: 'url(#unsettled)',
};
const TEXT: Record<ChartRow['tone'], string> = {
  baseline: INK.deep,
  slower: INK.slower,
  faster: INK.faster,
  same: INK.muted,
  unsettled: INK.muted,
};

/** Definitions that the chart's fills refer to. Without enough evidence a bar is hatched, not filled. */
export const CHART_DEFINITIONS =
  '<pattern id="unsettled" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  `<rect width="7" height="7" fill="#e3e9f0"/><rect width="3" height="7" fill="${INK.unsettled}"/></pattern>`;

/** Horizontal bars with interval whiskers; what reaches beyond the axis ends in an arrowhead. */
export function chartSvg(rows: ChartRow[], box: Box, options: ChartOptions): string {
  const rowHeight = Math.min(TALLEST_ROW, (box.height - AXIS_HEIGHT) / Math.max(1, rows.length));
  const left = box.x + LABEL_WIDTH + GAP;
  const width = box.width - LABEL_WIDTH - VERDICT_WIDTH - RATE_WIDTH - 3 * GAP;
  // Few rows stand in the middle of their room.
  const top = box.y + (box.height - AXIS_HEIGHT - rows.length * rowHeight) / 2;
  const bottom = top + rows.length * rowHeight;
  const most = axisEnd(rows, options.reference?.value ?? 0);
  const x = (value: number): number => left + (width * Math.min(value, most)) / most;

  const parts: string[] = [];
  const drawn = rows.some(({ value }) => value !== null);
  for (const tick of drawn ? ticks(most) : []) {
    parts.push(svgLine(x(tick), top, x(tick), bottom, INK.faint));
    parts.push(
      svgText(x(tick), bottom + 17, options.tickText(tick), {
        size: 13,
        fill: INK.muted,
        anchor: 'middle',
      }),
    );
  }
  if (options.reference !== null) {
    const [from, to] = options.reference.zone;
    parts.push(svgRect(x(from), top, x(to) - x(from), bottom - top, '#e8eff6'));
  }
  const places = rows.map((_, index): Place => {
    const middle = top + (index + 0.5) * rowHeight;
    return { box, left, width, middle, rowHeight, most, x };
  });
  const each = (draw: (row: ChartRow, place: Place) => string): string[] =>
    places.flatMap((place, index) => (rows[index] === undefined ? [] : [draw(rows[index], place)]));
  parts.push(...each(barSvg));
  if (options.reference !== null) {
    const line = x(options.reference.value);
    parts.push(
      `<line x1="${at(line)}" y1="${at(top)}" x2="${at(line)}" y2="${at(bottom)}" stroke="${INK.deep}" stroke-width="1.5" stroke-dasharray="4 4"/>`,
    );
  }
  parts.push(...each(wordsSvg));
  return parts.join('\n');
}

interface Place {
  box: Box;
  left: number;
  width: number;
  middle: number;
  rowHeight: number;
  most: number;
  x: (value: number) => number;
}

/** Everything in a row that is read: its name, its verdict, its rate, or why there is no bar. */
function wordsSvg(row: ChartRow, { box, left, width, middle, rowHeight }: Place): string {
  const size = Math.min(18, rowHeight * 0.6);
  const label = fitText(row.label, {
    width: LABEL_WIDTH,
    size,
    minSize: 12,
    weight: row.tone === 'baseline' ? 600 : 400,
    lines: rowHeight >= 36 ? 2 : 1,
    oneLineFrom: 14,
  });
  const lineHeight = label.size * 1.2;
  const first = middle + label.size * 0.36 - ((label.lines.length - 1) * lineHeight) / 2;
  const parts = label.lines.map((line, index) =>
    svgText(box.x, first + index * lineHeight, line, {
      size: label.size,
      weight: row.tone === 'baseline' ? 600 : 400,
      fill: row.value === null ? INK.muted : INK.text,
    }),
  );
  if (row.value === null) {
    const remark = fitText(row.remark, { width: width - 16, size: Math.min(15, size), minSize: 10 });
    const covered = textWidth(row.remark, remark.size) * 1.04 + 12;
    parts.push(
      // Covers the grid, which would run through the words.
      svgRect(left + 2, middle - remark.size * 0.75, covered, remark.size * 1.5, INK.paper),
      svgText(left + 8, middle + remark.size * 0.36, remark.lines.join(' '), {
        size: remark.size,
        fill: INK.muted,
      }),
    );
  }
  const right = box.x + box.width;
  const verdict = fitText(row.verdict, { width: VERDICT_WIDTH, size, minSize: 11, weight: 600 });
  parts.push(
    svgText(right - RATE_WIDTH - GAP - VERDICT_WIDTH, middle + verdict.size * 0.36, verdict.lines.join(' '), {
      size: verdict.size,
      weight: 600,
      fill: TEXT[row.tone],
    }),
  );
  const rate = fitText(row.rate, { width: RATE_WIDTH, size: Math.min(16, size), minSize: 10 });
  parts.push(
    svgText(right, middle + rate.size * 0.36, rate.lines.join(' '), {
      size: rate.size,
      fill: INK.muted,
      anchor: 'end',
    }),
  );
  return parts.join('\n');
}

function barSvg(row: ChartRow, { left, middle, rowHeight, most, x }: Place): string {
  if (row.value === null) return '';
  const height = Math.min(38, rowHeight * 0.62);
  // A bar of next to nothing must still be seen to be there.
  const parts = [
    svgRect(left, middle - height / 2, Math.max(2, x(row.value) - left), height, FILL[row.tone], 2),
  ];
  if (row.low === null || row.high === null || row.tone === 'baseline') return parts.join('\n');
  const cap = height * 0.28;
  const [from, to] = [x(row.low), x(row.high)];
  // Dark on the paper, with a light edge on the bar.
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

/** Where the axis ends: all bars fit; a whisker of a very uncertain value may not, it would flatten everything else. */
function axisEnd(rows: ChartRow[], reference: number): number {
  const values = rows.flatMap(({ value }) => (value === null ? [] : [value]));
  const largest = Math.max(reference, ...values);
  const whiskers = rows.flatMap(({ high }) => (high === null ? [] : [Math.min(high, 1.4 * largest)]));
  const end = 1.04 * Math.max(largest, ...whiskers);
  return end > 0 ? end : 1;
}

/** Round numbers from 0, four to seven of them. */
function ticks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const step =
    [0.1, 0.2, 0.25, 0.5, 1, 2].map((one) => one * power).find((one) => most / one <= 6.5) ?? power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

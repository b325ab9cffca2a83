import { at, INK, svgLine, svgRect, svgText } from './svg.ts';
import { fitText, textWidth, type Weight } from './text-metrics.ts';

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
const VERDICT_WIDTH = 198;
const RATE_WIDTH = 86;
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
  const sizes = sharedSizes(rows, rowHeight);
  const places = rows.map((_, index): Place => {
    const middle = top + (index + 0.5) * rowHeight;
    return { box, left, width, middle, rowHeight, most, x, sizes };
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
  sizes: Sizes;
}

/** Font sizes that all rows share, so that no name looks more important than another. */
interface Sizes {
  /** Of a row's whole height. */
  row: number;
  label: number;
  verdict: number;
}

/** Names shrink together down to 14, single ones wrap or shrink further; verdicts shrink together. */
function sharedSizes(rows: ChartRow[], rowHeight: number): Sizes {
  const row = Math.min(18, rowHeight * 0.6);
  const fitting = (text: string, width: number, minSize: number, weight: Weight): number =>
    fitText(text, { width, size: row, minSize: Math.min(row, minSize), weight }).size;
  return {
    row,
    label: Math.min(
      row,
      ...rows.map(({ label, tone }) => fitting(label, LABEL_WIDTH, 14, labelWeight(tone))),
    ),
    verdict: Math.min(row, ...rows.map(({ verdict }) => fitting(verdict, VERDICT_WIDTH, 11, 600))),
  };
}

function labelWeight(tone: ChartRow['tone']): Weight {
  return tone === 'baseline' ? 600 : 400;
}

/** Everything in a row that is read: its name, its verdict, its rate, or why there is no bar. */
function wordsSvg(row: ChartRow, { box, left, width, middle, rowHeight, sizes }: Place): string {
  const right = box.x + box.width;
  const weight = labelWeight(row.tone);
  const lines = rowHeight >= 36 ? 2 : 1;
  const label = fitText(row.label, { width: LABEL_WIDTH, size: sizes.label, minSize: 11, weight, lines });
  const lineHeight = label.size * 1.2;
  const first = centred(middle, label.size) - ((label.lines.length - 1) * lineHeight) / 2;
  const fill = row.value === null ? INK.muted : INK.text;
  const parts = label.lines.map((line, index) =>
    svgText(box.x, first + index * lineHeight, line, { size: label.size, weight, fill }),
  );
  if (row.value === null && row.remark !== '') {
    const remark = fitText(row.remark, {
      width: right - left - 16,
      size: Math.min(15, sizes.row),
      minSize: 11,
    });
    const text = remark.lines.join(' ');
    const covered = Math.min(width, textWidth(text, remark.size) * 1.04 + 12);
    parts.push(
      // Covers the grid, which would run through the words.
      svgRect(left + 2, middle - remark.size * 0.75, covered, remark.size * 1.5, INK.paper),
      svgText(left + 8, centred(middle, remark.size), text, { size: remark.size, fill: INK.muted }),
    );
  }
  const verdict = fitText(row.verdict, {
    width: VERDICT_WIDTH,
    size: sizes.verdict,
    minSize: 11,
    weight: 600,
  });
  const rate = fitText(row.rate, { width: RATE_WIDTH, size: Math.min(16, sizes.row), minSize: 10 });
  parts.push(
    svgText(
      right - RATE_WIDTH - GAP - VERDICT_WIDTH,
      centred(middle, verdict.size),
      verdict.lines.join(' '),
      {
        size: verdict.size,
        weight: 600,
        fill: TEXT[row.tone],
      },
    ),
    svgText(right, centred(middle, rate.size), rate.lines.join(' '), {
      size: rate.size,
      fill: INK.muted,
      anchor: 'end',
    }),
  );
  return parts.join('\n');
}

/** Baseline of a line whose letters stand around `middle`. */
function centred(middle: number, size: number): number {
  return middle + size * 0.36;
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

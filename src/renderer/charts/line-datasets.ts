import type { ChartDataset } from 'chart.js';
import type { LineStyle } from './palette.ts';
import type { Point, Series } from './series.ts';

export type LineDataset = ChartDataset<'line', Point[]>;

export interface Look {
  styles: ReadonlyMap<string, LineStyle>;
  hidden: ReadonlySet<string>;
  highlighted: string | undefined;
  color: string;
}

const POINTS = { circle: 'circle', diamond: 'rectRot', triangle: 'triangle', square: 'rect' } as const;
/** Dashes and marks of longer series would touch. */
const MOST_MARKED = 200;
const PLAIN: LineStyle = { color: '', dash: [], mark: 'circle' };

export function lineDatasets(series: readonly Series[], look: Look): LineDataset[] {
  return series.map(({ scenarioId, name, lines }) => {
    const data = lines.flatMap((line) => [...line, { x: line.at(-1)?.x ?? 0, y: null }]);
    return { label: name, data, ...looks(scenarioId, data.length <= MOST_MARKED, look) };
  });
}

function looks(scenarioId: string, isMarked: boolean, look: Look): Partial<LineDataset> {
  const style = look.styles.get(scenarioId) ?? { ...PLAIN, color: look.color };
  const { isDot = false, isMean = false } = style;
  const stepsBack = look.highlighted !== undefined && look.highlighted !== scenarioId;
  const color = `${style.color}${stepsBack ? '40' : isDot && !style.isHollow ? '80' : ''}`;
  const standsOut = look.highlighted === scenarioId;
  const pen = isMarked ? { thin: 2, bold: 3.5 } : { thin: 1, bold: 1.75 };
  const radius = style.mark === 'circle' ? 1.5 : 3.5;
  const dotRadius = style.isHollow ? 4.5 : radius + 1;
  return {
    hidden: look.hidden.has(scenarioId),
    borderColor: color,
    backgroundColor: style.isHollow ? 'transparent' : color,
    borderDash: isMarked ? style.dash : [],
    borderJoinStyle: isMarked ? 'miter' : 'bevel',
    borderWidth: isMean ? 2.5 : standsOut ? pen.bold : pen.thin,
    pointStyle: POINTS[style.mark],
    showLine: !isDot,
    pointBorderWidth: style.isHollow ? 2 : 1,
    pointRadius: isDot ? dotRadius : isMarked && !isMean ? radius : 0,
    pointHoverRadius: 5,
    pointHitRadius: 8,
    spanGaps: false,
    // The lowest order is drawn last.
    order: standsOut || isMean ? -1 : 0,
  };
}

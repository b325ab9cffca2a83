import type { Knee, Sweep, SweepLevel } from '../analysis/analysis.ts';
import { formatCount, formatLatency, formatNumber, formatRate } from '../units.ts';
import { asSentence } from '../words/effect-wording.ts';
import type { Translate } from '../words/i18n.ts';
import { labelText } from '../words/labels.ts';
import { isKnee } from '../words/wording.ts';
import { axisEnd, barSvg, referenceSvg, scaleTo, ticks, zoneSvg } from './bars.ts';
import { box, picture, text, type CardNode } from './card-node.ts';
import type { BarUnit, CardGroup, CardRow } from './card-rows.ts';
import { axisTimeText } from './stack.ts';
import { at, ink, svgLine } from './svg.ts';

const BARS = 390;
const ROW_HEIGHTS = { least: 26, leastDouble: 36, most: 64, all: 256, title: 56 };
const CURVE = { width: 880, height: 92, top: 12 };

export function barNodes(groups: CardGroup[], unit: BarUnit, t: Translate): CardNode {
  const isRatio = unit === 'ratio';
  const rows = groups.flatMap((group) => group.rows);
  const bars = rows.map(({ bar }) => bar);
  const isDouble = rows.some(({ published, rates }) => published !== '' || rates.length > 1);
  const least = isDouble ? ROW_HEIGHTS.leastDouble : ROW_HEIGHTS.least;
  const titles = groups.filter(({ title }) => title !== null).length;
  const room = ROW_HEIGHTS.all - ROW_HEIGHTS.title * titles;
  const height = Math.max(least, Math.min(ROW_HEIGHTS.most, Math.round(room / rows.length)));
  const isEmpty = bars.every(({ value, published }) => value === null && published === null);
  const scale = scaleTo(axisEnd(bars, isRatio ? 1 : 0), BARS);
  const marks = isEmpty ? [] : ticks(scale.most);
  const lines = marks.map((tick) => svgLine(scale.x(tick), 0, scale.x(tick), height, ink('line'))).join('');
  const reference = isRatio ? referenceSvg(scale, height) : '';
  const rowNodes = ({ label, tone, bar, verdict, published, rates, remark }: CardRow): CardNode[] => {
    const drawn = `<g transform="translate(0 ${height / 2})">${barSvg(bar, scale, height)}</g>`;
    const zone = isRatio ? zoneSvg(scale, bar.margin, height) : '';
    const look = [tone, ...(bar.value === null ? ['muted'] : []), ...(height < 36 ? ['low'] : [])];
    return [
      text(['label', ...look].join(' '), label),
      remark === '' ? picture(lines + zone + drawn + reference, BARS, height) : text('remark', remark),
      box('words', [
        text(`verdict ${tone}`, verdict),
        ...(published === '' ? [] : [text('small', published)]),
      ]),
      box(
        'rates',
        rates.map((rate) => text(rates.length > 1 ? 'small' : 'rate', rate)),
      ),
    ];
  };
  const grid = box('rows', [
    ...groups.flatMap(({ title, rows: own }) => [
      ...(title === null ? [] : [text('title', title)]),
      ...own.flatMap(rowNodes),
    ]),
    box(
      'axis',
      marks.map((tick) => ({
        ...text('tick', tickText(tick, scale.most, unit, t)),
        style: { left: Number(scale.x(tick)) - 40 },
      })),
    ),
  ]);
  return { ...grid, style: { fontSize: height < 36 ? 14 : Math.min(17, height * 0.42) } };
}

function tickText(tick: number, most: number, unit: BarUnit, t: Translate): string {
  if (unit === 'time') return axisTimeText(tick, most, t);
  if (unit === 'rate') return formatRate(tick, t.language);
  const decimals = Number.isInteger(Math.round(tick * 100) / 10) ? 1 : 2;
  return `${formatNumber(tick, Math.abs(tick - Math.round(tick)) < 1e-9 ? 0 : decimals, t.language)}×`;
}

/** Whiskers are the lowest and highest round, a ring is the knee. */
export function curveNodes(sweeps: readonly Sweep[], t: Translate): CardNode[] {
  const all = sweeps.flatMap(({ levels }) => levels.flatMap(({ tps, highTps }) => [tps ?? 0, highTps ?? 0]));
  const most = Math.max(...all) || 1;
  return sweeps.map(({ label, levels, knee }) => {
    const row = (title: string, words: (level: SweepLevel) => string): CardNode[] => [
      text('small', title),
      ...levels.map((one) => text(isKnee(knee, one.connections) ? 'level strong' : 'level', words(one))),
    ];
    const grid = box('sweep', [
      text('label', asSentence(labelText(label, t), t)),
      box('curve', [picture(curveSvg(levels, knee, most), CURVE.width, CURVE.height)]),
      ...row(t('ui:sweep.connections'), ({ connections }) => formatCount(connections, t.language)),
      ...row(t('ui:charts.tps'), ({ tps }) => formatRate(tps, t.language)),
      ...row(t('ui:charts.p95'), ({ p95Us }) => formatLatency(p95Us, t.language)),
    ]);
    return { ...grid, style: { gridTemplateColumns: `224px repeat(${levels.length}, 1fr)` } };
  });
}

function curveSvg(levels: readonly SweepLevel[], knee: Knee | null, most: number): string {
  const y = (tps: number): number => CURVE.height - 1 - ((CURVE.height - CURVE.top) * tps) / most;
  const points = levels.flatMap(({ connections, tps, lowTps, highTps }, index) => {
    const x = ((index + 0.5) * CURVE.width) / levels.length;
    return tps === null
      ? []
      : [{ x, y: y(tps), low: y(lowTps ?? tps), high: y(highTps ?? tps), connections }];
  });
  const circle = ({ x, y: middle }: { x: number; y: number }, rest: string): string =>
    `<circle cx="${at(x)}" cy="${at(middle)}" ${rest}/>`;
  return [
    svgLine(0, y(0), CURVE.width, y(0), ink('line')),
    `<polyline points="${points.map((one) => `${at(one.x)},${at(one.y)}`).join(' ')}" fill="none" stroke="${ink('curve-1')}" stroke-width="2.5"/>`,
    ...points.map(({ x, low, high }) => svgLine(x, low, x, high, ink('curve-1'), 1.5)),
    ...points.map((one) => circle(one, `r="4.5" fill="${ink('curve-1')}"`)),
    ...points
      .filter(({ connections }) => isKnee(knee, connections))
      .map((one) => circle(one, `r="10" fill="none" stroke="${ink('curve-2')}" stroke-width="2"`)),
  ].join('');
}

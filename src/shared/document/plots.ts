import { axisSvg, type Bar, barCell, scaleOf, scaleTo } from '../pictures/bars.ts';
import { axisTimeText, type Stack, stackCell } from '../pictures/stack.ts';
import { formatRatio } from '../units.ts';
import type { Translate } from '../words/i18n.ts';
import type { Cell, TableGroup } from './blocks.ts';

/** How a table's bars or stacks are drawn: each is the content of an SVG that fills its cell. */
export interface Plots {
  kind: 'bar' | 'stack';
  cellSvg: (cell: Cell) => string;
  axis: string;
  isTall: boolean;
}

/** Undefined for a table without any. */
export function plotsOf(groups: readonly TableGroup[], t: Translate): Plots | undefined {
  const cells = groups.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const bars = cells.flatMap((cell) => barOf(cell) ?? []);
  if (bars.length > 0) {
    const scale = scaleOf(bars);
    const draw = (bar: Bar | undefined): string => (bar === undefined ? '' : barCell(bar, scale));
    return {
      kind: 'bar',
      cellSvg: (cell) => draw(barOf(cell)),
      axis: axisSvg(scale, (tick) => formatRatio(tick, t.language)),
      isTall: bars.some(({ published }) => published !== null),
    };
  }
  const [first] = cells.flatMap((cell) => stackOf(cell) ?? []);
  if (first === undefined) return undefined;
  const scale = scaleTo(first.mostUs);
  const draw = (stack: Stack | undefined): string => (stack === undefined ? '' : stackCell(stack, scale, t));
  return {
    kind: 'stack',
    cellSvg: (cell) => draw(stackOf(cell)),
    axis: axisSvg(scale, (tick) => axisTimeText(tick, first.mostUs, t)),
    isTall: false,
  };
}

function barOf(cell: Cell): Bar | undefined {
  return typeof cell === 'object' && 'bar' in cell ? cell.bar : undefined;
}

function stackOf(cell: Cell): Stack | undefined {
  return typeof cell === 'object' && 'stack' in cell ? cell.stack : undefined;
}

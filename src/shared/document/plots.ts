import { axisSvg, type Bar, scaleTo } from '../pictures/bars.ts';
import { dotCell, ratioAxis, ratioAxisSvg } from '../pictures/dots.ts';
import { axisTimeText, type Stack, stackCell } from '../pictures/stack.ts';
import { formatRatio } from '../units.ts';
import type { Translate } from '../words/i18n.ts';
import type { Cell, TableGroup } from './blocks.ts';

/** Each drawing is the content of an SVG that fills its cell. */
export interface Plots {
  kind: 'bar' | 'stack';
  cellSvg: (cell: Cell) => string;
  axis: string;
}

/** Undefined for a table without any. */
export function plotsOf(groups: readonly TableGroup[], t: Translate): Plots | undefined {
  const cells = groups.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const bars = cells.flatMap((cell) => barOf(cell) ?? []);
  if (bars.length > 0) {
    const axis = ratioAxis(bars);
    const draw = (bar: Bar | undefined): string => (bar === undefined ? '' : dotCell(bar, axis));
    return {
      kind: 'bar',
      cellSvg: (cell) => draw(barOf(cell)),
      axis: ratioAxisSvg(axis, (mark) => formatRatio(mark, t.language)),
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
  };
}

function barOf(cell: Cell): Bar | undefined {
  return typeof cell === 'object' && 'bar' in cell ? cell.bar : undefined;
}

function stackOf(cell: Cell): Stack | undefined {
  return typeof cell === 'object' && 'stack' in cell ? cell.stack : undefined;
}

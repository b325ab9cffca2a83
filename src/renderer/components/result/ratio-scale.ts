import type { RatioEstimate } from '../../../shared/model/analysis.ts';
import { equivalenceZone } from '../../../shared/statistics/paired-ratio.ts';

/** Where a bar and its whisker lie, as percentages of the plot's width. */
export interface BarGeometry {
  value: string;
  /** Undefined without an interval. */
  low: string | undefined;
  high: string | undefined;
  /** The interval goes beyond the axis. */
  isCut: boolean;
}

/** Bars get this much room; an interval that is wider is cut, so that it does not squeeze the bars to nothing. */
const ROOM = 1.5;

/** The ratio axis: from 0 to `max` with a mark every `step`; `others` are ratios without an interval. */
export function ratioAxis(ratios: RatioEstimate[], others: number[] = []): { max: number; step: number } {
  const room = ROOM * Math.max(1, ...others, ...ratios.map(({ value }) => value));
  const largest = Math.max(
    1.1,
    ...others,
    ...ratios.map(({ value, high }) => Math.max(value, Math.min(high ?? 0, room))),
  );
  const step = [0.25, 0.5, 1, 2, 5, 10].find((one) => largest / one <= 6) ?? Math.ceil(largest / 6);
  return { max: Math.ceil(largest / step) * step, step };
}

/** Marks of an axis. */
export function axisTicks({ max, step }: { max: number; step: number }): number[] {
  return Array.from({ length: Math.round(max / step) + 1 }, (_, index) => index * step);
}

/** The place of a ratio on an axis from 0 to `max`. */
export function percentOf(ratio: number, max: number): string {
  return `${(100 * ratio) / max}%`;
}

/** Where the band of "no difference that matters" lies: exactly what the verdict calls the same. */
export function bandGeometry(equivalence: number, max: number): { x: string; width: string } {
  const [low, high] = equivalenceZone(equivalence);
  return { x: percentOf(low, max), width: percentOf(high - low, max) };
}

/** Geometry of one ratio on an axis from 0 to `max`. */
export function barGeometry({ value, low, high }: RatioEstimate, max: number): BarGeometry {
  const at = (ratio: number): string => percentOf(Math.min(max, Math.max(0, ratio)), max);
  return {
    value: at(value),
    low: low === null ? undefined : at(low),
    high: high === null ? undefined : at(high),
    isCut: high !== null && high > max,
  };
}

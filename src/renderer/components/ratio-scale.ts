import type { RatioEstimate } from '../../shared/model/analysis.ts';

/** Where bar and whiskers lie, as percentages of the plot's width. */
export interface BarGeometry {
  value: string;
  low: string | undefined;
  high: string | undefined;
}

/** The end of the ratio axis: at least 1.25, in steps of a quarter, beyond 1.5 in steps of a half. */
export function niceMax(ratios: number[]): number {
  const largest = Math.max(1.1, ...ratios.filter(Number.isFinite));
  // One interval gone wild must not squeeze every bar to nothing.
  const capped = Math.min(largest, 5);
  const step = capped > 1.5 ? 0.5 : 0.25;
  return Math.ceil(capped / step) * step;
}

/** Geometry of one ratio on an axis from 0 to `max`; what lies beyond is cut at the edge. */
export function barGeometry(ratio: RatioEstimate, max: number): BarGeometry {
  const at = (value: number): string => `${(100 * Math.min(max, Math.max(0, value))) / max}%`;
  return {
    value: at(ratio.value),
    low: ratio.low === null ? undefined : at(ratio.low),
    high: ratio.high === null ? undefined : at(ratio.high),
  };
}

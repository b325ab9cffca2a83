import type { RatioEstimate } from '../../../shared/model/analysis.ts';
import { equivalenceZone } from '../../../shared/statistics/paired-ratio.ts';

interface BarGeometry {
  value: string;
  low: string | undefined;
  high: string | undefined;
  /** The interval goes beyond the axis. */
  isCut: boolean;
}

/** Wider intervals are cut, so that bars stay readable. */
const ROOM = 1.5;

export interface RatioAxis {
  max: number;
  step: number;
}

export function ratioAxis(ratios: RatioEstimate[], others: number[] = []): RatioAxis {
  const room = ROOM * Math.max(1, ...others, ...ratios.map(({ value }) => value));
  const largest = Math.max(
    1.1,
    ...others,
    ...ratios.map(({ value, high }) => Math.max(value, Math.min(high ?? 0, room))),
  );
  const step = [0.25, 0.5, 1, 2, 5, 10].find((one) => largest / one <= 6) ?? Math.ceil(largest / 6);
  return { max: Math.ceil(largest / step) * step, step };
}

export function axisTicks({ max, step }: RatioAxis): number[] {
  return Array.from({ length: Math.round(max / step) + 1 }, (_, index) => index * step);
}

export function percentOf(ratio: number, max: number): string {
  return `${(100 * ratio) / max}%`;
}

export function bandGeometry(equivalence: number, max: number): { x: string; width: string } {
  const [low, high] = equivalenceZone(equivalence);
  return { x: percentOf(low, max), width: percentOf(high - low, max) };
}

export function barGeometry({ value, low, high }: RatioEstimate, max: number): BarGeometry {
  const at = (ratio: number): string => percentOf(Math.min(max, Math.max(0, ratio)), max);
  return {
    value: at(value),
    low: low === null ? undefined : at(low),
    high: high === null ? undefined : at(high),
    isCut: high !== null && high > max,
  };
}

import { pairedRatio } from '../../src/shared/statistics/paired-ratio.ts';
import type { RatioEstimate } from '../../src/shared/statistics/estimate.ts';

/** Figures that were taken in pairs, one after the other: `1.04 (0.98–1.10)`, the ratio with its 95% interval. */
export function describeRatio(figures: readonly number[], baseline: readonly number[]): string {
  const estimate = ratioOf(figures, baseline);
  if (estimate === null) return '–';
  const { value, low, high } = estimate;
  const interval = low === null || high === null ? '' : ` (${low.toFixed(2)}–${high.toFixed(2)})`;
  return `${value.toFixed(2)}${interval}`;
}

/** The geometric mean of the ratios of such pairs. */
export function meanRatio(figures: readonly number[], baseline: readonly number[]): number {
  return ratioOf(figures, baseline)?.value ?? NaN;
}

function ratioOf(figures: readonly number[], baseline: readonly number[]): RatioEstimate | null {
  const pairs = figures.map((scenario, index) => ({ scenario, baseline: baseline[index] ?? 0 }));
  return pairedRatio(pairs, 0.95);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

import type { Steadiness } from '../model/run-state.ts';

const FEWEST_SECONDS = 5;
/** Share of the trial's median throughput. */
const STALLED = 0.1;

/** Null for few seconds or without a transaction. */
export function steadinessOf(perSecond: readonly number[]): Steadiness | null {
  const seconds = perSecond.length;
  const mean = perSecond.reduce((sum, one) => sum + one, 0) / seconds;
  if (seconds < FEWEST_SECONDS || mean === 0) return null;
  const squares = perSecond.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const sorted = [...perSecond].sort((a, b) => a - b);
  const median = ((sorted[(seconds - 1) >> 1] ?? 0) + (sorted[seconds >> 1] ?? 0)) / 2;
  const stalled = perSecond.filter((one) => one === 0 || one < STALLED * median);
  return {
    seconds,
    variation: Math.sqrt(squares / (seconds - 1)) / mean,
    stalledSeconds: stalled.length,
  };
}

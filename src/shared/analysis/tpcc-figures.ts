import type { Totals } from '../model/measurements.ts';

/** Never call the first one tpmC: a trademark for audited results. */
export interface TpccFigures {
  /** HammerDB's NOPM: committed new orders without intentional rollbacks. */
  newOrdersPerMinute: number;
  /** All five types with intentional rollbacks. */
  transactionsPerMinute: number;
  /** Intentional ones only. */
  rollbacks: number;
}

/** Null without a new order. */
export function tpccFigures(trials: readonly { totals: Totals }[]): TpccFigures | null {
  const own = trials.flatMap(({ totals }) => (totals.mix['new_order'] === undefined ? [] : [totals]));
  const sum = (of: (totals: Totals) => number): number => own.reduce((all, one) => all + of(one), 0);
  const minutes = sum(({ durationMs }) => durationMs) / 60_000;
  if (minutes === 0) return null;
  const rollbacks = sum((one) => one.rollbacks);
  return {
    newOrdersPerMinute: (sum(({ mix }) => mix['new_order'] ?? 0) - rollbacks) / minutes,
    transactionsPerMinute: sum(({ transactions }) => transactions) / minutes,
    rollbacks,
  };
}

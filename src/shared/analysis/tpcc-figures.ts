import type { Totals } from '../model/measurements.ts';

/** Never call the first one tpmC: a trademark for audited results. */
export interface TpccFigures {
  /** Committed new orders per minute, as HammerDB's NOPM; intentional rollbacks do not count. */
  newOrdersPerMinute: number;
  /** Transactions of all five types per minute, with intentional rollbacks. */
  transactionsPerMinute: number;
  /** Intentional rollbacks. */
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

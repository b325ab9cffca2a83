import type { Totals } from '../model/measurements.ts';

/** What TPC-C-like results are told in. Never call the first one tpmC: that is a trademark for audited results. */
export interface TpccRates {
  /**
   * New orders that were committed, per minute. Those that the workload rolls back on purpose don't count, as in
   * HammerDB's NOPM, which is taken from the districts' order numbers.
   */
  newOrdersPerMinute: number;
  /** Transactions of all five types per minute, those rolled back on purpose included. */
  transactionsPerMinute: number;
}

/** Rates of a trial or a window; zero when nothing was measured. */
export function tpccRates(
  totals: Pick<Totals, 'transactions' | 'rollbacks' | 'mix' | 'durationMs'>,
): TpccRates {
  const perMinute = (count: number): number =>
    totals.durationMs > 0 ? (count * 60_000) / totals.durationMs : 0;
  return {
    newOrdersPerMinute: perMinute((totals.mix['new_order'] ?? 0) - totals.rollbacks),
    transactionsPerMinute: perMinute(totals.transactions),
  };
}

import type { RunOutline } from '../model/run-state.ts';
import type { Totals } from '../model/measurements.ts';

/** What a scenario of a TPC-C-like workload comes to over all its measured trials. */
export interface TpccFigures extends TpccRates {
  /** New orders that the workload rolled back on purpose; no errors. */
  rollbacks: number;
}

/** Figures by scenario id; those without a new order in their counts, of other workloads that is, have none. */
export function tpccFigures({ plan, trials }: Pick<RunOutline, 'plan' | 'trials'>): Map<string, TpccFigures> {
  const found = new Map<string, TpccFigures>();
  for (const { id } of plan.scenarios) {
    const sum = { transactions: 0, rollbacks: 0, durationMs: 0, mix: { new_order: 0 } };
    for (const { scenarioId, status, totals } of trials) {
      const newOrders = totals?.mix['new_order'];
      if (scenarioId !== id || status !== 'measured' || totals === null || newOrders === undefined) continue;
      sum.transactions += totals.transactions;
      sum.rollbacks += totals.rollbacks;
      sum.durationMs += totals.durationMs;
      sum.mix.new_order += newOrders;
    }
    if (sum.durationMs > 0) found.set(id, { ...tpccRates(sum), rollbacks: sum.rollbacks });
  }
  return found;
}

/** What TPC-C-like results are told in. Never call the first one tpmC: that is a trademark for audited results. */
interface TpccRates {
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

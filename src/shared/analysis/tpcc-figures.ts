import type { RunState } from '../model/run-state.ts';
import type { Totals } from '../model/measurements.ts';

export interface TpccFigures extends TpccSpeeds {
  rollbacks: number;
}

export function tpccFigures({ plan, trials }: Pick<RunState, 'plan' | 'trials'>): Map<string, TpccFigures> {
  const sums = new Map(
    plan.scenarios.map(({ id }) => [
      id,
      { transactions: 0, rollbacks: 0, durationMs: 0, mix: { new_order: 0 } },
    ]),
  );
  for (const { scenarioId, totals } of trials) {
    const newOrders = totals?.mix['new_order'];
    const sum = sums.get(scenarioId);
    if (sum === undefined || totals === null || newOrders === undefined) continue;
    sum.transactions += totals.transactions;
    sum.rollbacks += totals.rollbacks;
    sum.durationMs += totals.durationMs;
    sum.mix.new_order += newOrders;
  }
  const found = new Map<string, TpccFigures>();
  for (const [id, sum] of sums) {
    if (sum.durationMs > 0) found.set(id, { ...tpccSpeeds(sum), rollbacks: sum.rollbacks });
  }
  return found;
}

/** Never call the first one tpmC: a trademark for audited results. */
interface TpccSpeeds {
  /** Committed new orders per minute, as HammerDB's NOPM; intentional rollbacks do not count. */
  newOrdersPerMinute: number;
  /** All five types per minute, intentional rollbacks included. */
  transactionsPerMinute: number;
}

export function tpccSpeeds(
  totals: Pick<Totals, 'transactions' | 'rollbacks' | 'mix' | 'durationMs'>,
): TpccSpeeds {
  const perMinute = (count: number): number =>
    totals.durationMs > 0 ? (count * 60_000) / totals.durationMs : 0;
  return {
    newOrdersPerMinute: perMinute((totals.mix['new_order'] ?? 0) - totals.rollbacks),
    transactionsPerMinute: perMinute(totals.transactions),
  };
}

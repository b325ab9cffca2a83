import type { RunState } from '../shared/model/run-state.ts';
import { isTpcc } from '../shared/model/workload.ts';
import { tpccRates, type TpccRates } from '../shared/tpcc.ts';

/** Rates of a TPC-C-like scenario, and how many transactions it rolled back on purpose. */
export interface TpccFigures extends TpccRates {
  rollbacks: number;
}

/** Figures by scenario id over all measured trials; undefined for another workload. */
export function tpccFigures({ plan, trials }: RunState): Map<string, TpccFigures> | undefined {
  if (!isTpcc(plan.workload)) return undefined;
  const found = new Map<string, TpccFigures>();
  for (const { id } of plan.scenarios) {
    const sum = { transactions: 0, rollbacks: 0, durationMs: 0, mix: {} as Record<string, number> };
    for (const { scenarioId, status, totals } of trials) {
      if (scenarioId !== id || status !== 'measured' || totals === null) continue;
      sum.transactions += totals.transactions;
      sum.rollbacks += totals.rollbacks;
      sum.durationMs += totals.durationMs;
      for (const [type, count] of Object.entries(totals.mix)) sum.mix[type] = (sum.mix[type] ?? 0) + count;
    }
    if (sum.durationMs > 0) found.set(id, { ...tpccRates(sum), rollbacks: sum.rollbacks });
  }
  return found;
}

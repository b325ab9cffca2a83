import { compareRates, CONFIDENCE, type RateComparison } from '../shared/analysis/compare-rates.ts';
import { speed, tps } from '../shared/model/measurements.ts';
import type { RunOutline } from '../shared/model/run-state.ts';

/** What a scenario has come to until now. */
export interface SoFar extends RateComparison {
  /** Mean of its measured trials, transactions per second; null without one. */
  tps: number | null;
}

/**
 * Rates and comparisons of a run that goes on, by scenario: the same comparison as the result's, of the rounds so far.
 */
export function soFar({ plan, trials }: Pick<RunOutline, 'plan' | 'trials'>): Map<string, SoFar> {
  const speeds = new Map<string, Map<number, number>>();
  const sums = new Map<string, { transactions: number; durationMs: number }>();
  for (const { scenarioId, round, status, totals } of trials) {
    if (status !== 'measured' || totals === null) continue;
    const rounds = speeds.get(scenarioId) ?? new Map<number, number>();
    speeds.set(scenarioId, rounds.set(round, speed(totals)));
    const { transactions, durationMs } = sums.get(scenarioId) ?? { transactions: 0, durationMs: 0 };
    sums.set(scenarioId, {
      transactions: transactions + totals.transactions,
      durationMs: durationMs + totals.durationMs,
    });
  }
  const compared = compareRates(plan, speeds, {
    confidence: CONFIDENCE,
    equivalence: plan.equivalence,
    baselineOf: ({ baselineId }) => baselineId,
  });
  return new Map(
    [...compared].map(([id, comparison]) => {
      const sum = sums.get(id);
      return [id, { ...comparison, tps: sum === undefined ? null : tps(sum) }];
    }),
  );
}

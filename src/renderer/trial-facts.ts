import {
  compareRates,
  CONFIDENCE,
  pooledRates,
  type RateComparison,
} from '../shared/analysis/compare-rates.ts';
import { effectsOf, type EstimatedEffect } from '../shared/analysis/effects.ts';
import { qps, speed, tps } from '../shared/model/measurements.ts';
import type { RunOutline } from '../shared/model/run-state.ts';
import type { TrialView } from '../shared/model/run-view.ts';

/**
 * The figures of a trial: all of a measured one, the last second of a running one (percentiles can't be merged). Null:
 * unknown, or not known yet. `errors` are the ignored ones of all measured seconds, by code.
 */
export function trialFacts({ windows, totals, evidence }: TrialView) {
  const counted = totals ?? windows.last;
  const rate = (count: number | undefined): number | null =>
    counted === null || count === undefined || counted.durationMs <= 0
      ? null
      : (count * 1000) / counted.durationMs;
  const latency = counted?.latency ?? null;
  const used = evidence?.container ?? null;
  const last = totals === null ? windows.last?.container : undefined;
  // The container's counters cover the warm-up, too.
  const seconds = windows.elapsedMs / 1000;
  const mean = (sum: number | null | undefined): number | null =>
    sum === null || sum === undefined || seconds <= 0 ? null : sum / seconds;
  return {
    of: totals === null ? 'second' : 'trial',
    tps: counted === null ? null : tps(counted),
    qps: counted === null ? null : qps(counted),
    reads: rate(counted?.reads),
    writes: rate(counted?.writes),
    other: rate(counted?.other),
    p50Us: latency?.p50Us ?? null,
    p95Us: latency?.p95Us ?? null,
    p99Us: latency?.p99Us ?? null,
    errors: totals?.errors ?? windows.errors,
    cores: last?.cores ?? mean(used?.cpuSeconds),
    blockRead: last?.blockReadPerSecond ?? mean(used?.blockReadBytes),
    blockWrite: last?.blockWritePerSecond ?? mean(used?.blockWriteBytes),
    received: mean(used?.networkReceivedBytes),
    sent: mean(used?.networkSentBytes),
  };
}

export interface SoFar extends RateComparison {
  tps: number | null;
}

/** The result's own comparisons and effects, of the rounds so far. */
export function soFar({ plan, trials }: Pick<RunOutline, 'plan' | 'trials'>): {
  scenarios: Map<string, SoFar>;
  effects: EstimatedEffect[];
} {
  const speeds = new Map<string, Map<number, number>>();
  const sums = new Map<string, { transactions: number; durationMs: number }>();
  const repeated = new Map(
    plan.scenarios.flatMap(({ id, isAaRepeat, baselineId }) =>
      isAaRepeat ? [[id, baselineId] as const] : [],
    ),
  );
  for (const { scenarioId, round, status, totals } of trials) {
    if (status !== 'measured' || totals === null) continue;
    const rounds = speeds.get(scenarioId) ?? new Map<number, number>();
    speeds.set(scenarioId, rounds.set(round, speed(totals)));
    const counted = repeated.get(scenarioId) ?? scenarioId;
    const { transactions, durationMs } = sums.get(counted) ?? { transactions: 0, durationMs: 0 };
    sums.set(counted, {
      transactions: transactions + totals.transactions,
      durationMs: durationMs + totals.durationMs,
    });
  }
  const pooled = pooledRates(plan.scenarios, speeds);
  const options = { confidence: CONFIDENCE, equivalence: plan.equivalence };
  const compared = compareRates(plan, pooled, { ...options, baselineOf: ({ baselineId }) => baselineId });
  return {
    scenarios: new Map(
      [...compared].map(([id, comparison]) => {
        const sum = sums.get(id);
        return [id, { ...comparison, tps: sum === undefined ? null : tps(sum) }];
      }),
    ),
    effects: effectsOf(plan, pooled, { ...options, referenceId: plan.baselineId }),
  };
}

import { neededCheck, type NeededCheck } from '../compose/health-check.ts';
import { type InitScript, START_PARTS, type StartPart } from '../model/evidence.ts';
import type { Plan } from '../model/plan.ts';
import type { TrialState } from '../model/run-state.ts';
import { type HealthCheck, ownStartOf } from '../model/task.ts';
import { grouped } from './grouped.ts';

export interface FirstStart {
  count: number;
  meanMs: number;
  slowestMs: number;
  /** Means over all first starts. */
  scripts: InitScript[];
  parts: { part: StartPart; ms: number }[];
  others: { scenarioId: string; meanMs: number }[];
  /** Null if the project wasn't read; `needed` is undefined if its own waits long enough. */
  healthCheck: { own: HealthCheck | null; needed: NeededCheck | undefined } | null;
}

type Measured = Pick<TrialState, 'scenarioId' | 'evidence'> & { totals: { durationMs: number } };

/** Null if not measured, or without a database. */
export function firstStartOf(plan: Plan, trials: readonly Measured[]): FirstStart | null {
  const { baselineId, scenarios, task, database } = plan;
  const isFirst = scenarios.find(({ id }) => id === baselineId)?.storage.starts === 'empty';
  const firsts = trials.filter(({ scenarioId }) => scenarioId === baselineId);
  if (database === null || task?.kind !== 'ready' || !isFirst || firsts.length === 0) return null;
  const slowestMs = Math.max(...firsts.map(({ totals }) => totals.durationMs));
  const evidence = firsts.flatMap((trial) => trial.evidence ?? []);
  const mean = (all: readonly number[]): number => sumOf(all) / Math.max(1, evidence.length);
  const byName = grouped(
    evidence.flatMap(({ initScripts = [] }) => initScripts),
    ({ name }) => [name],
  );
  const own = ownStartOf(plan)?.healthCheck;
  return {
    count: firsts.length,
    meanMs: meanMs(firsts),
    slowestMs,
    scripts: [...byName].map(([name, all]) => ({ name, ms: mean(all.map(({ ms }) => ms)) })),
    parts: START_PARTS.map((part) => ({ part, ms: mean(evidence.map(({ start }) => start?.[part] ?? 0)) })),
    others: scenarios.flatMap(({ id, isAaRepeat }) => {
      const measured = trials.filter(({ scenarioId }) => scenarioId === id);
      const isOther = id !== baselineId && !isAaRepeat && measured.length > 0;
      return isOther ? [{ scenarioId: id, meanMs: meanMs(measured) }] : [];
    }),
    healthCheck: own === undefined ? null : { own, needed: neededCheck(slowestMs, own) },
  };
}

function meanMs(trials: readonly Measured[]): number {
  return sumOf(trials.map(({ totals }) => totals.durationMs)) / trials.length;
}

function sumOf(all: readonly number[]): number {
  return all.reduce((sum, one) => sum + one, 0);
}

import { neededCheck, type NeededCheck } from '../compose/health-check.ts';
import type { InitScript } from '../model/evidence.ts';
import type { Plan } from '../model/plan.ts';
import type { TrialState } from '../model/run-state.ts';
import { type HealthCheck, ownStartOf } from '../model/task.ts';
import { grouped } from './grouped.ts';

/** Of a database: its first starts, and what the other kinds of start save. */
export interface FirstStart {
  scenarioId: string;
  /** How many were measured. */
  count: number;
  meanMs: number;
  slowestMs: number;
  /** Means of the project's init scripts, the slowest first. */
  scripts: InitScript[];
  others: { scenarioId: string; meanMs: number }[];
  /** Null: what the project does wasn't read. `needed` is undefined if its own waits long enough. */
  healthCheck: { own: HealthCheck | null; needed: NeededCheck | undefined } | null;
}

type Measured = Pick<TrialState, 'scenarioId' | 'evidence'> & { totals: { durationMs: number } };

/** Null: it wasn't measured, or of no database. */
export function firstStartOf(plan: Plan, trials: readonly Measured[]): FirstStart | null {
  const { baselineId, scenarios, task, database } = plan;
  const isFirst = scenarios.find(({ id }) => id === baselineId)?.storage.starts === 'empty';
  const firsts = trials.filter(({ scenarioId }) => scenarioId === baselineId);
  if (database === null || task?.kind !== 'ready' || !isFirst || firsts.length === 0) return null;
  const slowestMs = Math.max(...firsts.map(({ totals }) => totals.durationMs));
  const scripts = firsts.flatMap(({ evidence }) => evidence?.initScripts ?? []);
  const byName = grouped(scripts, ({ name }) => [name]);
  const own = ownStartOf(plan)?.healthCheck;
  return {
    scenarioId: baselineId,
    count: firsts.length,
    meanMs: meanMs(firsts),
    slowestMs,
    scripts: [...byName]
      .map(([name, all]) => ({ name, ms: all.reduce((sum, { ms }) => sum + ms, 0) / firsts.length }))
      .sort((a, b) => b.ms - a.ms),
    others: scenarios.flatMap(({ id, isAaRepeat }) => {
      const measured = trials.filter(({ scenarioId }) => scenarioId === id);
      const isOther = id !== baselineId && !isAaRepeat && measured.length > 0;
      return isOther ? [{ scenarioId: id, meanMs: meanMs(measured) }] : [];
    }),
    healthCheck: own === undefined ? null : { own, needed: neededCheck(slowestMs, own) },
  };
}

function meanMs(trials: readonly Measured[]): number {
  return trials.reduce((sum, { totals }) => sum + totals.durationMs, 0) / trials.length;
}

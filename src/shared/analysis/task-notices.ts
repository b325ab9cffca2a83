import { msg } from '../message.ts';
import type { Notice, Plan } from '../model/plan.ts';
import type { RunState, TrialState } from '../model/run-state.ts';
import { formatLatency, formatNumber } from '../units.ts';
import { grouped } from './grouped.ts';
import { medianOf } from './trial-figures.ts';

/** Multiple of the median that a busy machine doesn't cause. */
const OUTLIER = 2.5;
const ENOUGH_TRIALS = 3;

export function taskNotices({ plan, trials }: Pick<RunState, 'plan' | 'trials'>): Notice[] {
  if (plan.task === null) return [];
  return [...outlierNotices(trials), ...decidedNotices(plan)];
}

function outlierNotices(trials: readonly TrialState[]): Notice[] {
  return [...grouped(trials, ({ scenarioId }) => [scenarioId])].flatMap(([scenarioId, own]): Notice[] => {
    const times = own.flatMap(({ totals }) => (totals === null ? [] : [totals.durationMs]));
    const median = medianOf(times) ?? Infinity;
    const outliers = times.filter((ms) => ms > OUTLIER * median);
    if (times.length < ENOUGH_TRIALS || outliers.length === 0) return [];
    const message = msg('notice.taskOutliers', {
      count: outliers.length,
      all: times.length,
      most: formatNumber(Math.max(...outliers) / median, 1),
      median: formatLatency(1000 * median),
    });
    return [{ code: 'TASK_OUTLIERS', message, scenarioId }];
  });
}

function decidedNotices({ scenarios, rounds }: Pick<Plan, 'scenarios' | 'rounds'>): Notice[] {
  return scenarios.flatMap(({ id: scenarioId }): Notice[] => {
    const count = rounds.filter((ids) => ids.includes(scenarioId)).length;
    if (count === 0 || count === rounds.length) return [];
    const message = msg('notice.decidedEarly', { rounds: msg('rounds', { count }) });
    return [{ code: 'ROUNDS_DECIDED', message, scenarioId }];
  });
}

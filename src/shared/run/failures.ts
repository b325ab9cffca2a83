import type { ErrorData } from '../errors.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';

interface FailureGroup {
  key: string;
  scenarioId: string;
  name: string;
  error: ErrorData;
  rounds: number[];
}

export function failedTrials<T extends TrialOutline>({ trials }: { trials: readonly T[] }): T[] {
  return trials.filter(({ status }) => status === 'failed');
}

/** By scenario and error; what a task fails with is hardly the scenario's, and is one group. */
export function failureGroups(run: RunOutline): FailureGroup[] {
  const groups = new Map<string, FailureGroup & { names: Set<string> }>();
  for (const { scenarioId, round, error } of failedTrials(run)) {
    if (error === null) continue;
    const key = `${error.code === 'TASK_FAILED' ? '' : scenarioId} ${error.code} ${error.message}`;
    const group = groups.get(key) ?? { key, scenarioId, name: '', names: new Set(), error, rounds: [] };
    group.names.add(run.plan.scenarios.find(({ id }) => id === scenarioId)?.name ?? scenarioId);
    group.name = [...group.names].join(', ');
    if (!group.rounds.includes(round)) group.rounds.push(round);
    groups.set(key, group);
  }
  return [...groups.values()];
}

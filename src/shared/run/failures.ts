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

export function failureGroups(run: RunOutline): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { scenarioId, round, error } of failedTrials(run)) {
    if (error === null) continue;
    const key = `${scenarioId} ${error.code} ${error.message}`;
    const name = run.plan.scenarios.find(({ id }) => id === scenarioId)?.name ?? scenarioId;
    const group = groups.get(key) ?? { key, scenarioId, name, error, rounds: [] };
    group.rounds.push(round);
    groups.set(key, group);
  }
  return [...groups.values()];
}

import type { ErrorCode, ErrorData } from '../errors.ts';
import type { Scenario, ScenarioLabel } from '../model/plan.ts';
import type { RunState, TrialState } from '../model/run-state.ts';

interface FailureGroup {
  key: string;
  scenarioId: string;
  labels: ScenarioLabel[];
  error: ErrorData;
  rounds: number[];
}

const OF_THE_TASK: ReadonlySet<string> = new Set<ErrorCode>(['TASK_FAILED', 'COMMAND_ELSEWHERE']);

export function failedTrials<T extends TrialState>({ trials }: { trials: readonly T[] }): T[] {
  return trials.filter(({ status }) => status === 'failed');
}

/** Every further try with the storage would end the same. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  ...['DATADIR_OWNERSHIP', 'STORAGE_REFUSED', 'VOLUME_MOUNT_FAILED', 'NFS_UNSUPPORTED', 'BIND_REFUSED'],
  ...['SERVER_AIO', 'SERVER_ODIRECT', 'SERVER_LOCK', 'SERVER_CASE', 'SERVER_CORRUPTED'],
] as const satisfies ErrorCode[]);
const STARTS: ReadonlySet<string> = new Set<ErrorCode>(['STORAGE_FULL', 'SERVER_EXITED', 'SERVER_NOT_READY']);

export function isRefusal({ code }: Pick<ErrorData, 'code'>): boolean {
  return REFUSALS.has(code);
}

/** Null if it started, or if nothing shows why not. */
export function whyNeverStarted(
  { servers, trials }: Pick<RunState, 'servers' | 'trials'>,
  { id, serverId }: Pick<Scenario, 'id' | 'serverId'>,
): ErrorData | null {
  const hasRun = trials.some(({ scenarioId, totals }) => scenarioId === id && totals !== null);
  if (hasRun || (servers[serverId]?.facts ?? null) !== null) return null;
  const errors = failedTrials({ trials }).flatMap(({ scenarioId, error }) =>
    scenarioId === id && error !== null ? [error] : [],
  );
  return errors.find((one) => isRefusal(one) || STARTS.has(one.code)) ?? null;
}

/** Errors that a task causes form one group for all scenarios. */
export function failureGroups(run: RunState): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { scenarioId, round, error } of failedTrials(run)) {
    if (error === null) continue;
    const key = `${OF_THE_TASK.has(error.code) ? '' : scenarioId} ${error.code} ${error.message}`;
    const group = groups.get(key) ?? { key, scenarioId, labels: [], error, rounds: [] };
    const label = run.plan.scenarios.find(({ id }) => id === scenarioId)?.label;
    if (label !== undefined && !group.labels.includes(label)) group.labels.push(label);
    if (!group.rounds.includes(round)) group.rounds.push(round);
    groups.set(key, group);
  }
  return [...groups.values()];
}

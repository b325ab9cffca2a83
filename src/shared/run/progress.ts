import { currentTrial, type RunOutline, type TrialOutline } from '../model/run-state.ts';
import type { TrialView } from '../model/run-view.ts';
import type { Plan, Scenario } from '../model/plan.ts';

interface RunProgress<T = TrialOutline> {
  fraction: number;
  leftMs: number | null;
  done: number;
  all: number | null;
  current: T | undefined;
}

/** A server's start and shutdown, and a trial's connecting and counters, until trials show the real value, ms. */
const START_MS = 2_000;
const TRIAL_MS = 300;
const CLEANUP_MS = 5_000;

/** Before the first trial from the plan's estimate, then from measured trials. Pauses do not count. */
export function progressOf<T extends TrialOutline>(
  state: Omit<RunOutline, 'trials'> & { trials: T[] },
  now: number,
): RunProgress<T> {
  const planned = state.trials.length;
  const all = isOpenEnded(state) ? null : planned;
  const ended = state.trials.filter(({ status }) => status !== 'pending' && status !== 'running');
  const current = currentTrial(state.trials);
  if (state.status === 'finished') return { fraction: 1, leftMs: null, done: ended.length, all, current };

  const trialMs = expectedTrialMs(state);
  const pending = planned - ended.length - (current === undefined ? 0 : 1);
  const session = sessionBegan(state);
  const sessionMs = Math.max(0, now - session - pausedMs(state, session, now));
  const currentLeft =
    current?.startedAt === null || current === undefined
      ? 0
      : Math.max(0, trialMs - (now - current.startedAt));
  const elapsed = Math.max(0, now - state.startedAt - pausedMs(state, state.startedAt, now));
  const budget = budgetMs(state);
  const began = state.trials.find(({ startedAt }) => startedAt !== null)?.startedAt ?? now;
  const plannedMs = Math.min(planned * plannedTrialMs(state), budget);
  const preparationLeft = hasBegun(state)
    ? 0
    : Math.max(0, state.plan.estimate.seconds * 1000 - CLEANUP_MS - plannedMs - sessionMs);
  const measuringLeft = Math.min(
    currentLeft + pending * trialMs,
    Math.max(0, budget - (now - began - pausedMs(state, began, now))),
  );
  const leftMs = preparationLeft + measuringLeft + CLEANUP_MS;
  return { fraction: elapsed / (elapsed + leftMs), leftMs, done: ended.length, all, current };
}

export function isOpenEnded({ plan, roundsEnded }: Pick<RunOutline, 'plan' | 'roundsEnded'>): boolean {
  return plan.schedule.untilConclusive !== undefined && roundsEnded === null;
}

/** Time limit of a run until conclusive, ms; Infinity for others. */
export function budgetMs({ plan }: Pick<RunOutline, 'plan'>): number {
  return (plan.schedule.untilConclusive?.budgetMinutes ?? Infinity) * 60_000;
}

type Timed = Pick<Plan, 'schedule'> & {
  scenarios: readonly Pick<Scenario, 'serverId'>[];
};

export function plannedRoundMs({ plan: { scenarios, schedule } }: { plan: Timed }): number {
  const trials = scenarios.length;
  const starts = new Set(scenarios.map(({ serverId }) => serverId)).size;
  const loadMs = (schedule.warmupSeconds + schedule.durationSeconds) * 1000;
  return starts * START_MS + trials * (TRIAL_MS + loadMs);
}

export function plannedTrialMs({ plan }: { plan: Timed }): number {
  return plannedRoundMs({ plan }) / plan.scenarios.length;
}

/** From one trial's start to the next: the server's shutdown comes after the trial's end. */
export function expectedTrialMs(state: Pick<RunOutline, 'trials' | 'plan' | 'pauses'>): number {
  // Trials that lost their client are measured out of order.
  const begun = [...state.trials].sort((a, b) => (a.startedAt ?? Infinity) - (b.startedAt ?? Infinity));
  const took = begun.flatMap(({ status, startedAt, finishedAt }, index) => {
    const next = begun[index + 1]?.startedAt ?? null;
    const until =
      next !== null && finishedAt !== null && follows(state, finishedAt, next) ? next : finishedAt;
    return status === 'measured' && startedAt !== null && until !== null
      ? until - startedAt - pausedMs(state, startedAt, until)
      : [];
  });
  return took.length === 0 ? plannedTrialMs(state) : took.reduce((sum, one) => sum + one, 0) / took.length;
}

function follows(state: Pick<RunOutline, 'pauses'>, endedAt: number, begunAt: number): boolean {
  return begunAt >= endedAt && !continuedAt(state).some((at) => at > endedAt && at <= begunAt);
}

export function trialFraction(trial: TrialView, state: Pick<RunOutline, 'plan'>): number {
  const { warmupSeconds, durationSeconds } = state.plan.schedule;
  if (trial.phase === 'stop') return 1;
  return Math.min(1, trial.windows.elapsedMs / 1000 / (warmupSeconds + durationSeconds));
}

export function isPaused({ pauses }: Pick<RunOutline, 'pauses'>): boolean {
  return pauses.some(({ until }) => until === null);
}

/** ms between two moments in which the run was paused or had ended. */
export function pausedMs({ pauses }: Pick<RunOutline, 'pauses'>, from: number, until: number): number {
  return pauses.reduce((sum, pause) => {
    const begin = Math.max(from, pause.from);
    const end = Math.min(until, pause.until ?? until);
    return sum + Math.max(0, end - begin);
  }, 0);
}

export function isSkipped({ error }: Pick<TrialOutline, 'error'>): boolean {
  return error?.code === 'SKIPPED';
}

export function continuedAt({ pauses }: Pick<RunOutline, 'pauses'>): number[] {
  return pauses.flatMap(({ until, interrupted }) => (interrupted && until !== null ? [until] : []));
}

export function sessionBegan(run: Pick<RunOutline, 'pauses' | 'startedAt'>): number {
  return continuedAt(run).at(-1) ?? run.startedAt;
}

export function hasBegun(run: Pick<RunOutline, 'pauses' | 'startedAt' | 'trials'>): boolean {
  const since = sessionBegan(run);
  return run.trials.some(({ startedAt }) => startedAt !== null && startedAt >= since);
}

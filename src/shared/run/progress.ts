import { currentTrial, type RunOutline, type TrialOutline } from '../model/run-state.ts';
import type { TrialView } from '../model/run-view.ts';
import type { Plan, Scenario } from '../model/plan.ts';

interface RunProgress<T = TrialOutline> {
  fraction: number;
  leftMs: number | null;
  done: number;
  all: number | null;
  current: T | undefined;
  /** Side by side, once a round has begun. */
  pass: { round: number; pass: number; passes: number } | null;
}

/** A server's start and shutdown, and a trial's connecting and counters, until trials show the real value, ms. */
const START_MS = 2_000;
const TRIAL_MS = 300;
/** Side by side: each server of a start, and settling and freezing around each slice, ms. */
const SERVER_MS = 1_000;
export const BETWEEN_SLICES_MS = 150;
export const CLEANUP_MS = 5_000;

/** Before the first trial from the plan's estimate, then from measured trials. Pauses do not count. */
export function progressOf<T extends TrialOutline>(
  state: Omit<RunOutline, 'trials'> & { trials: T[] },
  now: number,
): RunProgress<T> {
  const planned = state.trials.length;
  const all = isOpenEnded(state) ? null : planned;
  const ended = state.trials.filter(({ status }) => status !== 'pending' && status !== 'running');
  const current = currentTrial(state.trials);
  const counts = { done: ended.length, all, current, pass: passOf(state) };
  if (state.status === 'finished') return { fraction: 1, leftMs: null, ...counts };

  const session = sessionBegan(state);
  const sessionMs = Math.max(0, now - session - pausedMs(state, session, now));
  const elapsed = Math.max(0, now - state.startedAt - pausedMs(state, state.startedAt, now));
  const budget = budgetMs(state);
  const began = state.trials.find(({ startedAt }) => startedAt !== null)?.startedAt ?? now;
  const preparationLeft = hasBegun(state) ? 0 : Math.max(0, preparationMs(state.plan) - sessionMs);
  const measuringLeft = Math.min(
    passesOf(state.plan) > 0 ? slicesLeftMs(state, now) : trialsLeftMs(state, now),
    Math.max(0, budget - (now - began - pausedMs(state, began, now))),
  );
  const leftMs = preparationLeft + measuringLeft + CLEANUP_MS;
  return { fraction: elapsed / (elapsed + leftMs), leftMs, ...counts };
}

function passOf({ plan, trials }: Pick<RunOutline, 'plan' | 'trials'>): RunProgress['pass'] {
  const passes = passesOf(plan);
  const round = currentTrial(trials)?.round;
  if (passes === 0 || round === undefined) return null;
  const open = trials.filter((one) => one.round === round && ['pending', 'running'].includes(one.status));
  const whole = Math.min(...open.map(({ slices }) => slices.length));
  return { round, pass: Math.min(passes, whole + 1), passes };
}

function trialsLeftMs(state: RunOutline, now: number): number {
  const trialMs = expectedTrialMs(state);
  const begun = currentTrial(state.trials)?.startedAt ?? null;
  const pending = state.trials.filter(({ status }) => status === 'pending').length;
  return (begun === null ? 0 : Math.max(0, trialMs - (now - begun))) + pending * trialMs;
}

function slicesLeftMs(state: RunOutline, now: number): number {
  const { plan, trials } = state;
  const open = trials.filter(({ status }) => status === 'pending' || status === 'running');
  const begun = new Set(trials.flatMap(({ round, status }) => (status === 'pending' ? [] : [round])));
  const starts = new Set(open.flatMap(({ round }) => (begun.has(round) ? [] : [round]))).size;
  const slices = open.reduce((sum, one) => sum + passesOf(plan) * (1 - shareDone(one, plan)), 0);
  const sliceMs = expectedSliceMs(state);
  const lastEnd = Math.max(sessionBegan(state), ...trials.map(({ finishedAt }) => finishedAt ?? 0));
  const isStarting = currentTrial(trials) === undefined;
  const since = Math.max(0, now - lastEnd - pausedMs(state, lastEnd, now));
  const underway = hasBegun(state) ? Math.min(since, isStarting ? groupStartMs(plan) : sliceMs) : 0;
  return Math.max(0, starts * groupStartMs(plan) + slices * sliceMs - underway);
}

export function isOpenEnded({ plan, roundsEnded }: Pick<RunOutline, 'plan' | 'roundsEnded'>): boolean {
  const { schedule, stopsAfterSeconds } = plan;
  return (schedule.untilConclusive !== undefined || stopsAfterSeconds !== null) && roundsEnded === null;
}

/** What a run until conclusive may measure, ms. Not of a quick look, whose end is elsewhere. */
export function measuresAtMostMs(plan: Plan): number | undefined {
  const { schedule, stopsAfterSeconds } = plan;
  const minutes = stopsAfterSeconds === null ? schedule.untilConclusive?.budgetMinutes : undefined;
  return minutes === undefined ? undefined : minutes * 60_000;
}

/** Time limit of a run until conclusive or of a quick look, ms; Infinity for others. */
export function budgetMs({ plan }: { plan: Limited }): number {
  const { schedule, stopsAfterSeconds } = plan;
  const budget = (schedule.untilConclusive?.budgetMinutes ?? Infinity) * 60_000;
  if (stopsAfterSeconds === null) return budget;
  // It ends after a round, side by side after a pass.
  const roundMs = plannedRoundMs({ plan });
  const passMs = plan.scenarios.length * plannedSliceMs(plan);
  const [first, next] = passesOf(plan) > 0 ? [groupStartMs(plan) + passMs, passMs] : [roundMs, roundMs];
  const more = Math.max(0, Math.ceil((stopsAfterSeconds * 1000 - first) / next));
  return Math.min(budget, first + more * next);
}

type Timed = Pick<Plan, 'schedule'> & {
  scenarios: readonly Pick<Scenario, 'serverId'>[];
  groups?: Plan['groups'];
};
type Limited = Timed & Pick<Plan, 'stopsAfterSeconds'>;

/** How often each scenario of a round is measured side by side; 0: once, alone. */
export function passesOf({ schedule }: Pick<Plan, 'schedule'>): number {
  const { sliceSeconds, durationSeconds } = schedule;
  return sliceSeconds === undefined ? 0 : Math.max(1, Math.round(durationSeconds / sliceSeconds));
}

/** Ids of servers, by group; the baseline's are in each. */
function groupsOf({ scenarios, groups = [] }: Timed): string[][] {
  return groups.length > 0 ? groups : [[...new Set(scenarios.map(({ serverId }) => serverId))]];
}

function startsOf(plan: Timed): number {
  return groupsOf(plan).flat().length;
}

/** Side by side, of a round, until the first slice of each group. */
export function groupStartMs(plan: Timed): number {
  return groupsOf(plan).length * START_MS + startsOf(plan) * (SERVER_MS + plan.schedule.warmupSeconds * 1000);
}

function plannedSliceMs({ schedule }: Pick<Plan, 'schedule'>): number {
  return (schedule.sliceSeconds ?? 0) * 1000 + BETWEEN_SLICES_MS;
}

export function measuringMs(plan: Timed): number {
  const passes = passesOf(plan);
  if (passes === 0) return plan.schedule.durationSeconds * 1000;
  const slices = groupsOf(plan).flatMap((servers) =>
    plan.scenarios.filter(({ serverId }) => servers.includes(serverId)),
  );
  return passes * slices.length * plannedSliceMs(plan);
}

export function plannedRoundMs({ plan }: { plan: Timed }): number {
  const { scenarios, schedule } = plan;
  const trials = scenarios.length;
  if (passesOf(plan) > 0) return groupStartMs(plan) + measuringMs(plan);
  const loadMs = (schedule.warmupSeconds + schedule.durationSeconds) * 1000;
  return startsOf(plan) * START_MS + trials * (TRIAL_MS + loadMs);
}

export function plannedMs({ plan }: { plan: Limited & Pick<Plan, 'rounds'> }): number {
  return Math.min(plan.rounds.length * plannedRoundMs({ plan }), budgetMs({ plan }));
}

export function preparationMs(plan: Plan): number {
  return Math.max(0, plan.estimate.seconds * 1000 - CLEANUP_MS - plannedMs({ plan }));
}

function expectedSliceMs({ trials, plan }: Pick<RunOutline, 'trials' | 'plan'>): number {
  const slices = trials.flatMap((trial) => trial.slices);
  if (slices.length === 0) return plannedSliceMs(plan);
  return slices.reduce((sum, { durationMs }) => sum + durationMs, 0) / slices.length + BETWEEN_SLICES_MS;
}

/** From one trial's start to the next: the server's shutdown comes after the trial's end. Side by side its share of a round. */
export function expectedTrialMs(state: Pick<RunOutline, 'trials' | 'plan' | 'pauses'>): number {
  const { plan } = state;
  if (passesOf(plan) > 0)
    return groupStartMs(plan) / plan.scenarios.length + passesOf(plan) * expectedSliceMs(state);
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
  return took.length === 0
    ? plannedRoundMs(state) / plan.scenarios.length
    : took.reduce((sum, one) => sum + one, 0) / took.length;
}

function follows(state: Pick<RunOutline, 'pauses'>, endedAt: number, begunAt: number): boolean {
  return begunAt >= endedAt && !continuedAt(state).some((at) => at > endedAt && at <= begunAt);
}

export function shareDone({ status, slices }: Pick<TrialOutline, 'status' | 'slices'>, plan: Plan): number {
  if (status === 'pending') return 0;
  return Math.min(1, slices.length / Math.max(1, passesOf(plan)));
}

export function trialFraction(trial: TrialView, { plan }: Pick<RunOutline, 'plan'>): number {
  const { warmupSeconds, durationSeconds } = plan.schedule;
  if (trial.phase === 'stop') return 1;
  if (passesOf(plan) > 0) return shareDone(trial, plan);
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

/** Whether a quick look ended before it began, as planned. */
export function isBeyondLook(
  { status, startedAt }: Pick<TrialOutline, 'status' | 'startedAt'>,
  { plan, outcome }: Pick<RunOutline, 'plan' | 'outcome'>,
): boolean {
  const isLook = plan.stopsAfterSeconds !== null && outcome === 'completed';
  return isLook && status === 'canceled' && startedAt === null;
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

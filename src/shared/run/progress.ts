import { currentTrial, type RunState, type TrialState } from '../model/run-state.ts';
import type { Plan } from '../model/plan.ts';
import {
  BETWEEN_SLICES_MS,
  CLEANUP_MS,
  measuresAtMostMs,
  budgetMs,
  passesOf,
  hasOpenPasses,
  plannedPasses,
  expectedStarts,
  groupStartMs,
  plannedSliceMs,
  slicesOf,
  plannedRoundMs,
  preparationMs,
  startsPerRound,
} from './planned-time.ts';

export interface RunProgress {
  fraction: number;
  /** Null until this session has numbers, and at the end. */
  leftMs: number | null;
  /** Pauses are excluded. */
  elapsedMs: number;
  done: number;
  all: number | null;
  current: TrialState | undefined;
}

/** The plan's estimate comes first, then ended starts, slices, and trials. */
export function progressOf(state: RunState, now: number): RunProgress {
  const planned = state.trials.length;
  const all = isOpenEnded(state) ? null : planned;
  const ended = state.trials.filter((one) => !isOpen(one));
  const current = currentTrial(state.trials);
  const elapsedMs = Math.max(0, workedMs(state, state.startedAt, state.finishedAt ?? now));
  const known = { elapsedMs, done: ended.length, all, current };
  if (state.status === 'finished') return { fraction: 1, leftMs: null, ...known };

  const preparationLeft = hasBegun(state)
    ? 0
    : Math.max(0, preparationMs(state.plan) - workedMs(state, sessionBegan(state), now));
  const measuringLeft =
    passesOf(state.plan) > 0
      ? slicesLeftMs(state, now)
      : Math.min(trialsLeftMs(state, now), limitLeftMs(state, now));
  const leftMs = preparationLeft + measuringLeft + CLEANUP_MS;
  const fraction = elapsedMs / (elapsedMs + leftMs);
  return { fraction, leftMs: hasNumbers(state) ? leftMs : null, ...known };
}

function hasNumbers(state: RunState): boolean {
  const { plan, trials } = state;
  const since = sessionBegan(state);
  if (passesOf(plan) > 0)
    return trials.some(({ slices, finishedAt }) => slices.length > 0 && (finishedAt ?? 0) >= since);
  return trials.some(({ startedAt, status, phase }) => {
    if (startedAt === null || startedAt < since) return false;
    return status === 'measured' || (plan.task === null && (phase === 'warmup' || phase === 'measure'));
  });
}

function trialsLeftMs(state: RunState, now: number): number {
  const trialMs = expectedTrialMs(state);
  const begun = currentTrial(state.trials)?.startedAt ?? null;
  const pending = state.trials.filter(({ status }) => status === 'pending').length;
  return (begun === null ? 0 : Math.max(0, trialMs - (now - begun))) + pending * trialMs;
}

function slicesLeftMs(state: RunState, now: number): number {
  const { plan, trials } = state;
  const startMs = expectedStartMs(state, now);
  const sliceMs = expectedSliceMs(state);
  const { starts, slicesMs } = hasOpenPasses(plan) ? budgetLeft(state, sliceMs) : roundsLeft(state, sliceMs);
  const starting = startSteps(state).find(({ finishedAt }) => finishedAt === null);
  if (starting !== undefined) {
    const startLeft = Math.max(0, startMs - workedMs(state, starting.startedAt, now));
    return startLeft + starts * startMs + slicesMs;
  }
  const ends = [...trials, ...startSteps(state)].map(({ finishedAt }) => finishedAt ?? 0);
  const since = Math.max(0, workedMs(state, Math.max(sessionBegan(state), ...ends), now));
  const underway = hasBegun(state) ? Math.min(since, sliceMs) : 0;
  return Math.max(0, starts * startMs + slicesMs - underway);
}

function roundsLeft(state: RunState, sliceMs: number): { starts: number; slicesMs: number } {
  const { plan, trials } = state;
  const open = trials.filter(isOpen);
  const starts = [...new Set(open.map(({ round }) => round))].reduce(
    (sum, round) => sum + Math.max(0, startsPerRound(plan) - startSteps(state, round).length),
    0,
  );
  const slices = open.reduce((sum, one) => sum + passesOf(plan) * (1 - shareDone(one, plan)), 0);
  return { starts, slicesMs: slices * sliceMs };
}

function budgetLeft(state: RunState, sliceMs: number): { starts: number; slicesMs: number } {
  const { plan, roundsEnded } = state;
  if (roundsEnded !== null) return { starts: 0, slicesMs: 0 };
  const passMs = slicesOf(plan) * sliceMs;
  const done = state.trials.reduce((sum, { slices }) => sum + slices.length, 0);
  const left = Math.min(budgetMs(plan), plannedPasses(plan) * passMs) - done * sliceMs;
  const starts = expectedStarts(plan, passMs) * startsPerRound(plan) - startSteps(state).length;
  return { starts: Math.max(0, starts), slicesMs: Math.max(0, left) };
}

function startSteps({ steps }: Pick<RunState, 'steps'>, round?: number): RunState['steps'] {
  return steps.filter(
    ({ kind, subject }) => kind === 'start' && (round === undefined || subject === String(round)),
  );
}

/** A start that already takes longer counts, too. */
function expectedStartMs(state: RunState, now: number): number {
  const tookMs = startSteps(state).map(({ startedAt, finishedAt }) => ({
    ms: workedMs(state, startedAt, finishedAt ?? now),
    isOver: finishedAt !== null,
  }));
  const ended = tookMs.flatMap(({ ms, isOver }) => (isOver ? [ms] : []));
  const expected =
    ended.length === 0
      ? groupStartMs(state.plan) / startsPerRound(state.plan)
      : ended.reduce((sum, ms) => sum + ms, 0) / ended.length;
  return Math.max(expected, ...tookMs.flatMap(({ ms, isOver }) => (isOver ? [] : [ms])));
}

/** Infinity without a limit. */
function limitLeftMs(state: RunState, now: number): number {
  const session = sessionBegan(state);
  const isEarlier = ({ startedAt }: TrialState): boolean => startedAt !== null && startedAt < session;
  const before = measuredMs({ ...state, trials: state.trials.filter(isEarlier) });
  const begins = state.trials.flatMap(({ startedAt }) => startedAt ?? []);
  const began = Math.min(now, ...begins.filter((at) => at >= session));
  return Math.max(0, (measuresAtMostMs(state.plan) ?? Infinity) - before - workedMs(state, began, now));
}

export function isOpen({ status }: Pick<TrialState, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

function workedMs(state: Pick<RunState, 'pauses'>, from: number, until: number): number {
  return until - from - pausedMs(state, from, until);
}

export function isOpenEnded({ plan, roundsEnded }: Pick<RunState, 'plan' | 'roundsEnded'>): boolean {
  return plan.schedule.untilConclusive !== undefined && roundsEnded === null;
}

/** 0 before the first round. */
export function roundsBegun({ trials }: Pick<RunState, 'trials'>): number {
  return Math.max(0, ...trials.map(({ round, startedAt }) => (startedAt === null ? 0 : round)));
}

/** Only rounds that this session began count. */
function expectedSliceMs(state: RunState): number {
  const { plan, trials } = state;
  let [took, count] = [0, 0];
  for (const index of plan.rounds.keys()) {
    const own = trials.filter(({ round, startedAt }) => round === index + 1 && startedAt !== null);
    const slices = own.reduce((sum, one) => sum + one.slices.length, 0);
    const began = Math.min(...own.map(({ startedAt }) => startedAt ?? Infinity));
    if (slices === 0 || began < sessionBegan(state)) continue;
    const until = Math.max(...own.map(({ finishedAt }) => finishedAt ?? began));
    const starts = startSteps(state, index + 1).flatMap(({ startedAt, finishedAt }) =>
      startedAt >= began && finishedAt !== null && finishedAt <= until
        ? workedMs(state, startedAt, finishedAt)
        : [],
    );
    took += workedMs(state, began, until) - starts.reduce((sum, ms) => sum + ms, 0);
    count += slices;
  }
  return count === 0 ? plannedSliceMs(plan) : took / count;
}

/** Time between starts; side by side a trial's share of a round. */
export function expectedTrialMs(state: RunState): number {
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

function follows(state: Pick<RunState, 'pauses'>, endedAt: number, begunAt: number): boolean {
  return begunAt >= endedAt && !continuedAt(state).some((at) => at > endedAt && at <= begunAt);
}

function shareDone({ status, slices }: Pick<TrialState, 'status' | 'slices'>, plan: Plan): number {
  if (status === 'pending') return 0;
  return Math.min(
    1,
    slices.length / (hasOpenPasses(plan) ? plannedPasses(plan) : Math.max(1, passesOf(plan))),
  );
}

/** Share of the load, 0 to 1. */
export function trialFraction(trial: TrialState, { plan }: Pick<RunState, 'plan'>): number {
  const { warmupSeconds, durationSeconds } = plan.schedule;
  if (trial.phase === 'stop') return 1;
  if (passesOf(plan) > 0) return shareDone(trial, plan);
  return Math.min(1, windowsMs(trial) / 1000 / (warmupSeconds + durationSeconds));
}

/** Warm-up is included. */
export function windowsMs({ windows }: Pick<TrialState, 'windows'>): number {
  return windows.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

export function isPaused({ pauses }: Pick<RunState, 'pauses'>): boolean {
  return pauses.some(({ until }) => until === null);
}

/** Time that counts against the limit; side by side the sum of slices, as trials overlap. */
export function measuredMs(run: Pick<RunState, 'pauses' | 'trials' | 'plan'>): number {
  if (passesOf(run.plan) > 0) {
    const slices = run.trials.flatMap((trial) => trial.slices);
    return slices.reduce((sum, { durationMs }) => sum + durationMs + BETWEEN_SLICES_MS, 0);
  }
  return run.trials.reduce(
    (sum, { status, startedAt, finishedAt }) =>
      status === 'measured' && startedAt !== null && finishedAt !== null
        ? sum + workedMs(run, startedAt, finishedAt)
        : sum,
    0,
  );
}

/** The time between a run's end and its continuation counts. */
export function pausedMs({ pauses }: Pick<RunState, 'pauses'>, from: number, until: number): number {
  return pauses.reduce((sum, pause) => {
    const begin = Math.max(from, pause.from);
    const end = Math.min(until, pause.until ?? until);
    return sum + Math.max(0, end - begin);
  }, 0);
}

export function isSkipped({ error }: Pick<TrialState, 'error'>): boolean {
  return error?.code === 'SKIPPED';
}

/** ms since the epoch. */
export function continuedAt({ pauses }: Pick<RunState, 'pauses'>): number[] {
  return pauses.flatMap(({ until, interrupted }) => (interrupted && until !== null ? [until] : []));
}

/** ms since the epoch. */
export function sessionBegan(run: Pick<RunState, 'pauses' | 'startedAt'>): number {
  return continuedAt(run).at(-1) ?? run.startedAt;
}

export function hasBegun(run: Pick<RunState, 'pauses' | 'startedAt' | 'trials'>): boolean {
  const since = sessionBegan(run);
  return run.trials.some(({ startedAt }) => startedAt !== null && startedAt >= since);
}

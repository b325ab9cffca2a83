import type { Passport } from '../model/passport.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';
import { continuedAt, isSkipped, pausedMs } from './pauses.ts';
import type { WhatIsLeft } from '../model/what-is-left.ts';
import { versionChanges } from './same-machine.ts';
import { budgetMs, expectedTrialMs, plannedTrialMs } from './progress.ts';

/** A run that ended before everything was measured can go on; what has a number then stays as it is. */

/**
 * Whether a trial is still to be measured when its run goes on: it has no number, and the user did not leave it out.
 */
export function isLeft(trial: Pick<TrialOutline, 'status' | 'error'>): boolean {
  return trial.status !== 'measured' && !isSkipped(trial);
}

/** The trials that going on would measure, in the order of measuring. */
export function trialsWithoutNumbers<T extends TrialOutline>(run: { trials: T[] }): T[] {
  return run.trials.filter(isLeft);
}

/** The machine and engine of a run's latest sitting. */
export function latestPassport({ plan, updates }: Pick<RunOutline, 'plan' | 'updates'>): Passport {
  return updates.at(-1)?.passport ?? plan.passport;
}

/**
 * A run as it continues with a passport: itself, unless something was updated since its last sitting. Ratios are taken
 * within a round, so after an update a round that has numbers and lacks some is measured again as a whole; whole rounds
 * stay.
 */
export function asContinued<R extends Pick<RunOutline, 'plan' | 'updates' | 'trials'>>(
  run: R,
  passport: Passport,
  at = Date.now(),
): R {
  if (versionChanges(latestPassport(run), passport).length === 0) return run;
  const open = new Set(run.trials.filter(isLeft).map(({ round }) => round));
  const isAgain = ({ round, status }: TrialOutline): boolean => open.has(round) && status === 'measured';
  return {
    ...run,
    updates: [...run.updates, { at, passport }],
    trials: run.trials.map((trial) => (isAgain(trial) ? { ...trial, status: 'pending' } : trial)),
  };
}

/** Why a run's own record leaves nothing to go on with; in English, as the core says it. */
const NOTHING_LEFT = 'every trial has its number, or was skipped';
const ENDED_BY_ITSELF = 'it ended by its own rule: settled, or its time was used up';
export const STILL_GOING_ON = 'it is still going on';

/** Why a run can't go on as far as it tells itself; undefined when it can. Whether it can here is another matter. */
export function whyNotContinuable(
  run: Pick<RunOutline, 'status' | 'roundsEnded' | 'trials'>,
): string | undefined {
  if (run.status !== 'finished') return STILL_GOING_ON;
  if (run.roundsEnded !== null) return ENDED_BY_ITSELF;
  return trialsWithoutNumbers(run).length === 0 ? NOTHING_LEFT : undefined;
}

/** How much of a run is kept and left; how long a trial takes is taken from those that were measured. */
export function whatIsLeft(run: RunOutline): WhatIsLeft {
  const { trials, plan } = run;
  const left = trialsWithoutNumbers(run).length;
  const planned = plan.rounds.reduce((sum, ids) => sum + ids.length, 0);
  // What the plan's estimate holds beside its trials: images, tables, copies, cleaning up.
  const plannedMs = Math.min(planned * plannedTrialMs(run), budgetMs(run));
  const preparingMs = Math.max(0, plan.estimate.seconds * 1000 - plannedMs);
  return {
    kept: trials.filter(({ status }) => status === 'measured').length,
    left,
    all: trials.length,
    leftMs: Math.min(left * expectedTrialMs(run), Math.max(0, budgetMs(run) - measuredMs(run))) + preparingMs,
  };
}

/** Rounds whose numbers come from more than one sitting: their trials were not measured one right after the other. */
export function splitRounds(run: Pick<RunOutline, 'pauses' | 'trials'>): number[] {
  const borders = continuedAt(run);
  const sittings = new Map<number, Set<number>>();
  for (const { status, round, startedAt } of run.trials) {
    if (status !== 'measured' || startedAt === null) continue;
    const sitting = borders.filter((at) => at <= startedAt).length;
    sittings.set(round, (sittings.get(round) ?? new Set()).add(sitting));
  }
  return [...sittings].flatMap(([round, found]) => (found.size > 1 ? [round] : [])).sort((a, b) => a - b);
}

/** How long a run has measured so far, ms: what its measured trials took. */
export function measuredMs(run: Pick<RunOutline, 'pauses' | 'trials'>): number {
  return run.trials.reduce(
    (sum, { status, startedAt, finishedAt }) =>
      status === 'measured' && startedAt !== null && finishedAt !== null
        ? sum + finishedAt - startedAt - pausedMs(run, startedAt, finishedAt)
        : sum,
    0,
  );
}

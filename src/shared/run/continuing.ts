import { isOwnTask } from '../model/task.ts';
import { type Message, msg } from '../message.ts';
import type { RunState, TrialState } from '../model/run-state.ts';
import { expectedTrialMs, isSkipped, measuredMs } from './progress.ts';
import { hasOpenPasses, measuresAtMostMs, plannedMs } from './planned-time.ts';
import type { WhatIsLeft } from '../model/leftovers.ts';

/** The round under way, or else the next; open passes keep their measurements. */
export function firstRoundLeft({ plan, trials }: Pick<RunState, 'plan' | 'trials'>): number {
  const begun = Math.max(0, ...trials.flatMap(({ round, startedAt }) => (startedAt === null ? [] : [round])));
  const own = trials.filter(({ round }) => round === begun);
  const isOver = hasOpenPasses(plan) ? own.some(({ totals }) => totals !== null) : own.every(isSettled);
  return isOver ? begun + 1 : begun;
}

function isSettled(trial: TrialState): boolean {
  return trial.status === 'measured' || isSkipped(trial);
}

/** Undefined if the run allows it; the machine is checked elsewhere. */
export function whyNotContinuable(
  run: Pick<RunState, 'status' | 'outcome' | 'roundsEnded' | 'trials' | 'plan'>,
): Message | undefined {
  if (run.status !== 'finished') return msg('continue.running');
  const isComplete = run.outcome === 'completed' || run.roundsEnded !== null;
  const first = firstRoundLeft(run);
  if (isComplete || first > run.plan.rounds.length) return msg('continue.complete');
  // No round is complete, and resuming would drop the one under way.
  if (first === 1) return msg('continue.noRound');
  return isOwnTask(run.plan) ? msg('continue.ownTask') : undefined;
}

export function whatIsLeft(run: RunState): WhatIsLeft {
  const { plan } = run;
  const first = firstRoundLeft(run);
  const trials = run.trials.filter(({ round }) => round < first);
  const left = run.trials.length - trials.length;
  // The estimate's share for preparation and cleanup.
  const preparingMs = Math.max(0, plan.estimate.seconds * 1000 - plannedMs(run));
  const measuringMs = Math.min(
    hasOpenPasses(plan) ? Infinity : left * expectedTrialMs(run),
    Math.max(0, (measuresAtMostMs(plan) ?? Infinity) - measuredMs({ ...run, trials })),
  );
  return {
    kept: trials.filter(({ totals }) => totals !== null).length,
    left: plan.schedule.untilConclusive === undefined ? left : null,
    leftMs: measuringMs + preparingMs,
  };
}

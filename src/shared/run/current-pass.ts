import { currentTrial, type RunState, type TrialState } from '../model/run-state.ts';
import { isOpen } from './progress.ts';
import { hasOpenPasses, passesOf, plannedPasses } from './planned-time.ts';

type Run = Pick<RunState, 'plan' | 'trials'>;

export interface CurrentPass {
  round: number;
  /** A run until conclusive counts through all rounds. */
  pass: number;
  /** A run until conclusive has the largest possible number. */
  passes: number;
}

/** Null unless a round side by side has begun. */
export function currentPass(run: Run): CurrentPass | null {
  const { plan, trials } = run;
  const round = currentTrial(trials)?.round;
  if (passesOf(plan) === 0 || round === undefined) return null;
  const open = trials.filter((one) => one.round === round && isOpen(one));
  const last = lastPass(trials, round);
  const isOver = plan.groups.length < 2 && open.every(({ slices }) => slices.at(-1)?.pass === last);
  return shownPass(run, round, isOver ? last + 1 : Math.max(1, last));
}

export function shownPass({ plan, trials }: Run, round: number, pass: number): CurrentPass {
  const isOpenEnded = hasOpenPasses(plan);
  const before = isOpenEnded ? plan.rounds.slice(0, round - 1) : [];
  const number = before.reduce((sum, _, index) => sum + lastPass(trials, index + 1), pass);
  const each = isOpenEnded ? plannedPasses(plan) : passesOf(plan);
  const passes = each * Math.max(1, plan.groups.length);
  return { round, pass: Math.min(passes, number), passes };
}

function lastPass(trials: readonly TrialState[], round: number): number {
  return Math.max(
    0,
    ...trials.flatMap((one) => (one.round === round ? one.slices.map(({ pass }) => pass) : [])),
  );
}

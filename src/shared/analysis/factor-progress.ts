import type { Analysis, Effect } from '../model/analysis.ts';
import { type Factor, FACTORS } from '../model/names.ts';
import type { RunOutline } from '../model/run-state.ts';
import { budgetMs, expectedTrialMs } from '../run/progress.ts';
import { isInterimCheck } from '../statistics/claims.ts';
import { canSettle, ENOUGH_ROUNDS } from '../statistics/paired-ratio.ts';
import { interimChecksIn } from './speeds.ts';
import { moreRoundsFor } from './recommendations.ts';

interface FactorEffects {
  factor: Factor;
  effects: Effect[];
}

export type FactorState =
  | { kind: 'conclusive' | 'inconclusive' }
  /** The estimate needs more rounds than the run has left. */
  | { kind: 'beyond' }
  /** The round after which there can be a verdict. */
  | { kind: 'first-verdict'; round: number }
  /** An estimate, as if the noise stays. */
  | { kind: 'more-rounds'; rounds: number };

export interface FactorProgress extends FactorEffects {
  state: FactorState;
}

export function effectsByFactor({ effects }: Pick<Analysis, 'effects'>): FactorEffects[] {
  return FACTORS.flatMap((factor) => {
    const own = effects.filter((one) => one.factor === factor);
    return own.length === 0 ? [] : [{ factor, effects: own }];
  });
}

type Analyzed = Pick<Analysis, 'effects' | 'equivalence' | 'confidence'>;

export function factorProgress(run: RunOutline, analysis: Analyzed): FactorProgress[] {
  return effectsByFactor(analysis).map((one) => ({ ...one, state: stateOf(one.effects, run, analysis) }));
}

export function endedRounds({ trials }: Pick<RunOutline, 'trials'>): number {
  const open = trials.filter(({ status }) => status === 'pending' || status === 'running');
  return (
    Math.min(...open.map(({ round }) => round), Math.max(0, ...trials.map(({ round }) => round)) + 1) - 1
  );
}

function stateOf(effects: readonly Effect[], run: RunOutline, analysis: Analyzed): FactorState {
  const ended = endedRounds(run);
  const known = effects.filter(canSettle);
  // What has no numbers or finished nothing may stay without a verdict; a run until conclusive doesn't wait for it either.
  const counted = ended === 0 || known.length === 0 ? effects : known;
  const open = counted.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return { kind: 'conclusive' };
  if (run.status === 'finished' || ended >= run.plan.rounds.length) return { kind: 'inconclusive' };
  // The round in progress may have its pair already.
  const atLeast = Math.max(
    ...open.map(({ ratio }) => {
      const paired = ratio?.pairedRounds ?? 0;
      return paired < ENOUGH_ROUNDS ? Math.max(ended, paired) + ENOUGH_ROUNDS - paired : 0;
    }),
  );
  if (atLeast > 0) return stateAt(atLeast, run, (round) => ({ kind: 'first-verdict', round }));
  const alpha = (1 - analysis.confidence) / interimChecksIn(run.plan);
  const until = Math.max(
    ...open.map((effect) => {
      const { pairedRounds = 0, value = 1 } = effect.ratio ?? {};
      const more = value === 0 ? Infinity : moreRoundsFor(effect, analysis.equivalence, alpha);
      return Math.max(ended, pairedRounds) + more;
    }),
  );
  return stateAt(until, run, (round) => ({ kind: 'more-rounds', rounds: Math.max(1, round - ended) }));
}

function stateAt(round: number, run: RunOutline, state: (round: number) => FactorState): FactorState {
  const { schedule, rounds } = run.plan;
  let checked = round;
  if (schedule.untilConclusive !== undefined) {
    while (!isInterimCheck(checked, schedule.rounds)) checked += 1;
  }
  const roundMs = expectedTrialMs(run) * (rounds.at(-1)?.length ?? 1);
  const last = Math.min(rounds.length, Math.max(1, Math.floor(budgetMs(run) / roundMs)));
  return checked > last ? { kind: 'beyond' } : state(checked);
}

import type { Analysis, Effect } from './analysis.ts';
import { type Factor, FACTORS } from '../model/factors.ts';
import type { RunState } from '../model/run-state.ts';
import { measuresAtMostMs } from '../run/planned-time.ts';
import { isOpen } from '../run/progress.ts';
import { canSettle, ENOUGH_SAMPLES } from '../statistics/estimate.ts';
import { isLook, levelAt, ONE_LOOK } from '../statistics/spending.ts';
import { looksOf } from './speeds.ts';
import { expectedSampleMs, moreSamplesFor } from './recommendations.ts';

interface FactorEffects {
  factor: Factor;
  effects: Effect[];
}

export type FactorState =
  | { kind: 'conclusive' | 'inconclusive' }
  /** The estimate needs more rounds than the run has left. */
  | { kind: 'beyond' }
  | { kind: 'first-verdict'; round: number }
  /** An estimate with unchanged noise. */
  | { kind: 'more-rounds'; rounds: number }
  | { kind: 'more-time'; ms: number };

export interface FactorProgress extends FactorEffects {
  state: FactorState;
}

export function effectsByFactor({ effects }: Pick<Analysis, 'effects'>): FactorEffects[] {
  return FACTORS.flatMap((factor) => {
    const own = effects.filter((one) => one.factor === factor);
    return own.length === 0 ? [] : [{ factor, effects: own }];
  });
}

type Analyzed = Pick<Analysis, 'effects' | 'confidence'>;

export function factorProgress(run: RunState, analysis: Analyzed): FactorProgress[] {
  return effectsByFactor(analysis).map((one) => ({ ...one, state: stateOf(one.effects, run, analysis) }));
}

/** Complete rounds, from the first one on. */
export function endedRounds({ trials }: Pick<RunState, 'trials'>): number {
  const open = trials.filter(isOpen).map(({ round }) => round);
  return Math.min(...open, Math.max(0, ...trials.map(({ round }) => round)) + 1) - 1;
}

function stateOf(effects: readonly Effect[], run: RunState, analysis: Analyzed): FactorState {
  const { schedule } = run.plan;
  const known = effects.filter(canSettle);
  // A first look doesn't count, and has no verdicts.
  const isLookedAt = run.trials.some(({ firstLook }) => firstLook !== undefined);
  const passes = isLookedAt ? Math.max(...run.trials.map(({ slices }) => slices.length)) : Infinity;
  const samplesOf = ({ ratio }: Effect): number => Math.min(passes, ratio?.samples ?? 0);
  const most = Math.max(0, ...effects.map(samplesOf));
  const ended = schedule.sliceSeconds === undefined ? endedRounds(run) : most;
  const looks = looksOf(run.plan);
  // A run until conclusive doesn't wait for effects without numbers.
  const counted = ended === 0 || known.length === 0 ? effects : known;
  const open = counted.filter(({ verdict }) => isLookedAt || verdict === 'inconclusive');
  if (open.length === 0) return { kind: 'conclusive' };
  if (run.status === 'finished' || run.roundsEnded !== null || ended >= looks.planned)
    return { kind: 'inconclusive' };
  const few = open.filter((effect) => samplesOf(effect) < ENOUGH_SAMPLES);
  const until = Math.max(
    ...(few.length > 0 ? few : open).map((effect) => {
      const samples = samplesOf(effect);
      return Math.max(ended, samples) + (few.length > 0 ? ENOUGH_SAMPLES - samples : moreFor(effect));
    }),
  );
  let checked = until;
  while (schedule.untilConclusive !== undefined && checked < looks.planned && !isLook(checked, looks))
    checked += 1;
  const sampleMs = expectedSampleMs(run, ended);
  const last = Math.min(
    looks.planned,
    Math.max(1, Math.floor((measuresAtMostMs(run.plan) ?? Infinity) / sampleMs)),
  );
  if (checked > last) return { kind: 'beyond' };
  if (schedule.sliceSeconds !== undefined) return { kind: 'more-time', ms: (checked - ended) * sampleMs };
  if (few.length > 0) return { kind: 'first-verdict', round: checked };
  return { kind: 'more-rounds', rounds: Math.max(1, checked - ended) };

  function moreFor(effect: Effect): number {
    if (effect.ratio?.value === 0) return Infinity;
    const alpha = 1 - analysis.confidence;
    return moreSamplesFor(
      effect,
      (samples) =>
        schedule.untilConclusive === undefined ? ONE_LOOK(alpha) : levelAt(samples, looks, false)(alpha),
      // Levels of looks beyond the plan would take minutes to compute.
      looks.planned - samplesOf(effect),
    );
  }
}

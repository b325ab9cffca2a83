import type { HostConditionKind } from '../../shared/model/evidence.ts';
import type { RunView, TrialView } from '../../shared/model/run-view.ts';
import type { Band } from './chart-options.ts';
import { trialShifts, type TrialLayout } from './series.ts';

/** A second in which something else went on on the machine, at its place on the x axis. */
export interface DisturbedSecond extends Band {
  scenarioId: string;
  kinds: HostConditionKind[];
}

/**
 * The measured seconds of these scenarios that the watch on the machine found something in. What is only known of a
 * whole trial is not shown: it would shade everything and tell nothing.
 */
export function disturbedSeconds(
  run: RunView,
  layout: TrialLayout,
  isShown: (scenarioId: string) => boolean,
): DisturbedSecond[] {
  return trialShifts(run, layout).flatMap(({ trial, shift }) =>
    isShown(trial.scenarioId) && trial.status === 'measured' ? secondsOf(trial, shift) : [],
  );
}

function secondsOf({ windows, scenarioId, evidence }: TrialView, shift: number): DisturbedSecond[] {
  const kinds = new Map<number, HostConditionKind[]>();
  for (const condition of evidence?.host?.conditions ?? []) {
    for (const index of condition.windows ?? []) {
      kinds.set(index, [...(kinds.get(index) ?? []), condition.kind]);
    }
  }
  return [...kinds].flatMap(([index, own]) => {
    // Windows count from 0 in the measured phase, as the rows of the columns do.
    const middle = index < windows.length ? windows.seconds[index] : undefined;
    return middle === undefined
      ? []
      : [{ scenarioId, kinds: own, from: shift + middle - 0.5, to: shift + middle + 0.5 }];
  });
}

/** The same as few stretches as possible: what touches or overlaps is one. */
export function joinedBands(seconds: readonly Band[]): Band[] {
  const bands: Band[] = [];
  for (const { from, to } of [...seconds].sort((a, b) => a.from - b.from)) {
    const last = bands.at(-1);
    // Windows are a second, give or take some ms.
    if (last !== undefined && from <= last.to + 0.1) last.to = Math.max(last.to, to);
    else bands.push({ from, to });
  }
  return bands;
}

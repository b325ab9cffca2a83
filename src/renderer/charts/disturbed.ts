import type { HostConditionKind } from '../../shared/model/evidence.ts';
import type { RunView, TrialView } from '../../shared/model/run-view.ts';
import type { Band } from './chart-options.ts';
import { trialShifts, type TrialLayout } from './series.ts';

export interface DisturbedSecond extends Band {
  scenarioId: string;
  kinds: HostConditionKind[];
}

/** Measured seconds with host conditions; those of whole trials would shade everything. */
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
    // Like the columns' rows, windows count from 0 in the measured phase.
    const middle = index < windows.length ? windows.seconds[index] : undefined;
    return middle === undefined
      ? []
      : [{ scenarioId, kinds: own, from: shift + middle - 0.5, to: shift + middle + 0.5 }];
  });
}

/** Merges adjacent and overlapping ranges. */
export function joinedBands(seconds: readonly Band[]): Band[] {
  const bands: Band[] = [];
  for (const { from, to } of [...seconds].sort((a, b) => a.from - b.from)) {
    const last = bands.at(-1);
    // Windows last about a second.
    if (last !== undefined && from <= last.to + 0.1) last.to = Math.max(last.to, to);
    else bands.push({ from, to });
  }
  return bands;
}

import type { Plan } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isLeft } from '../../shared/run/continuing.ts';
import { isSkipped, passesOf } from '../../shared/run/progress.ts';

type Earlier = Pick<RunState, 'trials'> | undefined;

/**
 * Scenarios of a round that a continued run measures. Rounds of slices continue with all of them: what is compared is
 * measured in the same passes.
 */
export function scenariosLeftIn(round: number, { rounds, schedule }: Plan, earlier: Earlier): string[] {
  const ids = rounds[round - 1] ?? [];
  if (earlier === undefined) return [...ids];
  const own = earlier.trials.filter((trial) => trial.round === round);
  const left = own.filter(isLeft);
  const isWhole = schedule.sliceSeconds !== undefined && left.length > 0;
  const again = isWhole ? own.filter((trial) => !isSkipped(trial)) : left;
  return ids.filter((id) => again.some(({ scenarioId }) => scenarioId === id));
}

export function passesLeftIn(round: number, group: number, { schedule }: Plan, earlier: Earlier): number[] {
  const own = earlier?.trials.filter((trial) => trial.round === round && !isSkipped(trial)) ?? [];
  const before = Math.max(0, ...own.flatMap(({ slices }) => slices.map(({ pass }) => pass)));
  const least = own.length === 0 ? 0 : Math.min(...own.map(({ slices }) => slices.length));
  const length = Math.max(1, passesOf({ schedule }) - least);
  return Array.from({ length }, (_, index) => before + group * length + index + 1);
}

/** Of a round's measuring in earlier sessions, ms. */
export function beganBefore(round: number, earlier: Earlier): number {
  const own = earlier?.trials.filter((trial) => trial.round === round) ?? [];
  return Math.max(
    0,
    ...own.flatMap(({ windows }) => windows.map(({ startMs, durationMs }) => startMs + durationMs)),
  );
}

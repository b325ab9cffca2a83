import type { Plan, Scenario } from '../model/plan.ts';
import { fewestRounds } from './fewest-rounds.ts';

/** Estimates of a server's start and shutdown, and of a trial's connecting and counters. */
const START_MS = 2_000;
const TRIAL_MS = 300;
/** Side by side: each server of a start, and settling and freezing around each slice. */
const SERVER_MS = 1_000;
export const BETWEEN_SLICES_MS = 150;
export const CLEANUP_MS = 5_000;

/** Time of at least some rounds or a pass; undefined unless until conclusive. */
export function measuresAtMostMs(plan: Timed): number | undefined {
  if (plan.schedule.untilConclusive === undefined) return undefined;
  return hasOpenPasses(plan)
    ? expectedStarts(plan) * groupStartMs(plan) + Math.max(budgetMs(plan), plannedPassMs(plan))
    : Math.max(budgetMs(plan), fewestRounds(plan) * plannedRoundMs({ plan }));
}

/** Infinity without a time limit. */
export function budgetMs({ schedule }: Pick<Plan, 'schedule'>): number {
  return (schedule.untilConclusive?.budgetMinutes ?? Infinity) * 60_000;
}

type Timed = Pick<Plan, 'schedule'> &
  Partial<Pick<Plan, 'groups' | 'task'>> & { scenarios: readonly Pick<Scenario, 'serverId'>[] };

/** A minimum if `hasOpenPasses`; 0 if scenarios are measured alone. */
export function passesOf({ schedule }: Pick<Plan, 'schedule'>): number {
  const { sliceSeconds, durationSeconds } = schedule;
  return sliceSeconds === undefined ? 0 : Math.max(1, Math.round(durationSeconds / sliceSeconds));
}

/** A start has as many passes as pay (benchmark/run/stop-rule.ts). */
export function hasOpenPasses({ schedule }: Pick<Plan, 'schedule'>): boolean {
  return schedule.sliceSeconds !== undefined && schedule.untilConclusive !== undefined;
}

/** The most samples: passes within the time limit, or those of all rounds. */
export function plannedPasses(plan: Timed): number {
  return hasOpenPasses(plan)
    ? Math.max(1, Math.floor(budgetMs(plan) / plannedPassMs(plan)))
    : plan.schedule.rounds * Math.max(1, passesOf(plan));
}

/** Starts that the stop rule allows if all goes as planned. */
export function expectedStarts(plan: Timed, passMs = plannedPassMs(plan)): number {
  const isRepeated = plan.schedule.rounds > 1 && groupsOf(plan).length > 1;
  return isRepeated && 2 * passesOf(plan) * passMs < budgetMs(plan) ? 2 : 1;
}

/** Each group has the baseline's servers. */
function groupsOf({ scenarios, groups = [] }: Timed): string[][] {
  return groups.length > 0 ? groups : [[...new Set(scenarios.map(({ serverId }) => serverId))]];
}

function startsOf(plan: Timed): number {
  return groupsOf(plan).flat().length;
}

/** Time until the first slice of each group. */
export function groupStartMs(plan: Timed): number {
  return groupsOf(plan).length * START_MS + startsOf(plan) * (SERVER_MS + plan.schedule.warmupSeconds * 1000);
}

export function plannedSliceMs({ schedule }: Pick<Plan, 'schedule'>): number {
  return (schedule.sliceSeconds ?? 0) * 1000 + BETWEEN_SLICES_MS;
}

export function slicesOf(plan: Timed): number {
  return groupsOf(plan).flatMap((servers) =>
    plan.scenarios.filter(({ serverId }) => servers.includes(serverId)),
  ).length;
}

export function plannedPassMs(plan: Timed): number {
  return slicesOf(plan) * plannedSliceMs(plan);
}

/** Load of a round side by side, or of a trial alone. */
export function measuringMs(plan: Timed): number {
  const passes = passesOf(plan);
  return passes === 0 ? plan.schedule.durationSeconds * 1000 : passes * plannedPassMs(plan);
}

export function plannedRoundMs({ plan }: { plan: Timed }): number {
  const { scenarios, schedule } = plan;
  const trials = scenarios.length;
  if (passesOf(plan) > 0) return groupStartMs(plan) + measuringMs(plan);
  const loadMs = (schedule.warmupSeconds + schedule.durationSeconds) * 1000;
  return startsOf(plan) * START_MS + trials * (TRIAL_MS + loadMs);
}

/** Longest duration of all rounds. */
export function plannedMs({ plan }: { plan: Timed & Pick<Plan, 'rounds'> }): number {
  const limit = measuresAtMostMs(plan) ?? Infinity;
  return hasOpenPasses(plan) ? limit : Math.min(plan.rounds.length * plannedRoundMs({ plan }), limit);
}

export function preparationMs(plan: Plan): number {
  return Math.max(0, plan.estimate.seconds * 1000 - CLEANUP_MS - plannedMs({ plan }));
}

export function startsPerRound({ groups, engines }: Plan): number {
  return Math.max(1, groups.length) * engines.length;
}

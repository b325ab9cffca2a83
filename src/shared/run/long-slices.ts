import type { Plan, Scenario } from '../model/plan.ts';

type Planned = Pick<Plan, 'engines' | 'scenarios' | 'schedule' | 'stopsAfterSeconds'>;

/**
 * One scenario for each storage, on the path that most of them have; none without slices, for one storage, or on
 * several engines.
 */
export function storagesToRepresent({
  engines,
  scenarios,
  schedule,
  stopsAfterSeconds,
}: Planned): Scenario[] {
  const { longSliceSeconds, sliceSeconds } = schedule;
  if (longSliceSeconds === undefined || sliceSeconds === undefined) return [];
  if (stopsAfterSeconds !== null || engines.length > 0) return [];
  const byPath = new Map<string, Map<string, Scenario>>();
  for (const scenario of scenarios) {
    if (scenario.isAaRepeat) continue;
    const own = byPath.get(scenario.path) ?? new Map<string, Scenario>();
    byPath.set(scenario.path, own);
    if (!own.has(scenario.storageId)) own.set(scenario.storageId, scenario);
  }
  const [most] = [...byPath.values()].sort((a, b) => b.size - a.size);
  return most === undefined || most.size < 2 ? [] : [...most.values()];
}

export function longSlicesMs(plan: Planned, done = 0): number {
  const left = Math.max(0, storagesToRepresent(plan).length - done);
  return 1000 * left * (plan.schedule.longSliceSeconds ?? 0);
}

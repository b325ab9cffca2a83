import type { Plan } from '../../shared/model/plan.ts';

/** Asked after each round, and side by side after each pass. */
export function endsQuickLook(
  { stopsAfterSeconds }: Pick<Plan, 'stopsAfterSeconds'>,
  measuringMs: number,
): boolean {
  return stopsAfterSeconds !== null && measuringMs >= stopsAfterSeconds * 1000;
}

import type { Plan } from '../../shared/model/plan.ts';

export function endsQuickLook(
  { stopsAfterSeconds }: Pick<Plan, 'stopsAfterSeconds'>,
  measuringMs: number,
): boolean {
  return stopsAfterSeconds !== null && measuringMs >= stopsAfterSeconds * 1000;
}

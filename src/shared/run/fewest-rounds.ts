import { isOwnTask, type Task } from '../model/task.ts';
import { ENOUGH_SAMPLES } from '../statistics/estimate.ts';

/** Tasks that take seconds are measured until a verdict is possible. */
export function fewestRounds({ task = null }: { task?: Task | null }): number {
  return task === null || isOwnTask({ task }) ? 1 : ENOUGH_SAMPLES;
}

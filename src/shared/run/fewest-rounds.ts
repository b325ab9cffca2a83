import { isOwnTask, type Task } from '../model/task.ts';
import { ENOUGH_SAMPLES } from '../statistics/estimate.ts';

/** Of a run until conclusive. Tasks that take seconds are measured until there can be a verdict. */
export function fewestRounds({ task = null }: { task?: Task | null }): number {
  return task === null || isOwnTask({ task }) ? 1 : ENOUGH_SAMPLES;
}

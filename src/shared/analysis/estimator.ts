import type { Plan } from '../model/plan.ts';
import { typicalRatio } from '../statistics/signed-rank.ts';
import { contrastLogs } from './contrast.ts';
import type { CrossedScenario } from './effects.ts';
import type { Speeds } from './samples.ts';
import { estimatorOf as estimatorOfLoad } from './servers-apart.ts';
import type { Estimator } from './speeds.ts';

/** Each trial of a task has its own server, and a few may take far longer than all others. */
const OF_TASKS: Estimator = (terms, samples) => typicalRatio(contrastLogs(terms, samples));

export function estimatorOf(
  { scenarios, task = null }: { scenarios: readonly CrossedScenario[]; task?: Plan['task'] },
  speeds: Speeds,
): Estimator {
  return task === null ? estimatorOfLoad(scenarios, speeds) : OF_TASKS;
}

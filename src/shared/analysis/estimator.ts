import type { Plan } from '../model/plan.ts';
import { SERVERS_APART } from '../statistics/components.ts';
import { typicalRatio } from '../statistics/signed-rank.ts';
import { contrastLogs } from './contrast.ts';
import type { CrossedScenario } from './effects.ts';
import type { Speeds } from './samples.ts';
import { estimatorOf as estimatorOfLoad } from './servers-apart.ts';
import type { Estimator } from './speeds.ts';

/** Each trial of a task has its own server, and a few may take far longer than all others. */
const OF_TASKS: Estimator = (terms, samples) => typicalRatio(contrastLogs(terms, samples));

interface Estimated extends Partial<Pick<Plan, 'task' | 'serversApart'>> {
  scenarios: readonly CrossedScenario[];
}

export function estimatorOf({ scenarios, task = null, serversApart }: Estimated, speeds: Speeds): Estimator {
  return task === null ? estimatorOfLoad(scenarios, speeds, serversApart ?? SERVERS_APART) : OF_TASKS;
}

import type { Plan } from '../model/plan.ts';
import { type Component, SERVERS_APART, serversApart } from '../statistics/components.ts';
import { typicalRatio } from '../statistics/signed-rank.ts';
import { contrastLogs, contrastOf } from './contrast.ts';
import type { CrossedScenario } from './effects.ts';
import type { Speeds } from './samples.ts';
import { nullContrastsOf } from './servers-apart.ts';
import type { Estimator } from './speeds.ts';

interface Estimated extends Partial<Pick<Plan, 'task'>> {
  scenarios: readonly CrossedScenario[];
  serversApart?: Component | undefined;
}

/** Servers are the unit of replication; tasks use the ranks of their trials. */
export function estimatorOf(
  { scenarios, task = null, serversApart: expected = SERVERS_APART }: Estimated,
  speeds: Speeds,
): Estimator {
  // Each trial of a task has its own server, and a few may take far longer.
  if (task !== null) return (terms, samples) => typicalRatio(contrastLogs(terms, samples));
  const { start, clone } = nullContrastsOf(scenarios, speeds, expected);
  const servers = { start: serversApart(start, expected), clone: serversApart(clone, expected) };
  return (terms, samples, adjusts) => contrastOf(terms, samples, servers, adjusts);
}

import { errorMessage, toErrorData } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import type { RunContext } from '../context/context.ts';
import type { Environment } from '../context/environment.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { readServerFacts } from '../servers/server-facts.ts';
import type { RunningServer, TargetServer } from '../servers/target-server.ts';

export async function emitFacts(
  { plan, emit, signal }: RunContext,
  { flushesKnown, clients }: Environment,
  { server, scenario, running }: { server: TargetServer; scenario: Scenario; running: RunningServer },
): Promise<void> {
  try {
    const client = await clients.for(scenario, running);
    const target = { ...running.address(scenario.path), ...server.account };
    const timesFlush = !flushesKnown.has(scenario.storageId);
    const variables = Object.keys(plan.database?.inEffect ?? {});
    const facts = await readServerFacts(server, running, client, target, { timesFlush, variables, signal });
    if (facts.flushTimes !== null) flushesKnown.add(scenario.storageId);
    emit({ type: 'server-facts', facts });
  } catch (error) {
    if (isEngineLost(error)) throw error;
    const reason = errorMessage(toErrorData(error));
    const message = msg('notice.settingsUnread', { server: server.id, reason });
    emit({ type: 'notice', notice: { code: 'FACTS_UNREADABLE', message } });
  }
}

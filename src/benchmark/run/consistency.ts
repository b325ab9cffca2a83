import { msg, type Message } from '../../shared/message.ts';
import { errorMessage, toErrorData } from '../../shared/errors.ts';
import { type Plan, trialId } from '../../shared/model/plan.ts';
import { isTpcc } from '../../shared/model/workload.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import type { LoadClient, LoadTarget } from '../load/load-client.ts';
import { checkTpccConsistency } from '../load/builtin/tpcc/consistency.ts';
import type { RunContext } from './context.ts';

/** Ids of each server's last trial, in each round that may be the last. */
export function lastTrials(plan: Pick<Plan, 'rounds' | 'scenarios' | 'schedule'>): Set<string> {
  const serverOf = new Map(plan.scenarios.map(({ id, serverId }) => [id, serverId]));
  const mayEndEarly = plan.schedule.untilConclusive !== undefined;
  const last = new Map<string, string>();
  for (const [index, ids] of plan.rounds.entries()) {
    for (const id of ids) {
      const server = serverOf.get(id);
      if (server !== undefined) last.set(mayEndEarly ? `${index} ${server}` : server, trialId(index + 1, id));
    }
  }
  return new Set(last.values());
}

export async function checkConsistency(
  context: RunContext,
  serverId: string,
  client: LoadClient,
  target: LoadTarget,
): Promise<void> {
  const { plan, emit, signal } = context;
  if (!isTpcc(plan.workload)) return;
  const notice = (code: string, message: Message): void =>
    emit({ type: 'notice', notice: { code, message } });
  try {
    const { conditions } = await checkTpccConsistency((sql) => client.query(target, sql, signal));
    const broken = conditions.filter(({ ok }) => !ok).map(({ id, says }) => `${id}: ${says}`);
    emit({ type: 'consistency', consistency: { serverId, conditions: conditions.length, broken } });
    if (broken.length > 0) {
      notice(
        'DATA_INCONSISTENT',
        msg('notice.inconsistent', {
          server: serverId,
          broken: broken.length,
          conditions: conditions.length,
          list: broken.join(' '),
        }),
      );
    }
  } catch (error) {
    if (isEngineLost(error) || signal.aborted) throw error;
    notice(
      'CONSISTENCY_UNKNOWN',
      msg('notice.consistencyUnknown', { server: serverId, reason: errorMessage(toErrorData(error)) }),
    );
  }
}

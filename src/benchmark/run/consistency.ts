import { msg, type Message } from '../../shared/message.ts';
import { toErrorData, errorMessage } from '../../shared/errors.ts';
import { isTpcc } from '../../shared/model/workload.ts';
import { trialId, type Plan } from '../../shared/model/plan.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import type { LoadDriver, LoadTarget } from '../load/driver.ts';
import { checkTpccConsistency } from '../load/node/tpcc/consistency.ts';
import type { RunContext } from './context.ts';

/**
 * Ids of the last trial of each server: after it the data is as all of its load has left it. Where a run may end after
 * other rounds than the last one, those of each such round.
 */
export function lastTrials(plan: Pick<Plan, 'rounds' | 'scenarios' | 'schedule'>): Set<string> {
  const serverOf = new Map(plan.scenarios.map(({ id, serverId }) => [id, serverId]));
  const mayEndEarly = plan.schedule.untilSettled !== undefined;
  const last = new Map<string, string>();
  for (const [index, ids] of plan.rounds.entries()) {
    for (const id of ids) {
      const server = serverOf.get(id);
      if (server !== undefined) last.set(mayEndEarly ? `${index} ${server}` : server, trialId(index + 1, id));
    }
  }
  return new Set(last.values());
}

/**
 * Checks the conditions of a workload that has some, and tells what came of it. Data that breaks them is a notice: the
 * numbers stand, but what was measured lost or invented rows.
 */
export async function checkConsistency(
  context: RunContext,
  serverId: string,
  client: LoadDriver,
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

import { msg } from '../../../shared/message.ts';
import { isEngineLost } from '../../runtime/engine/engine-error.ts';
import { type RunContext, step } from '../../context/context.ts';
import type { LivingServers } from './living-servers.ts';
import type { Trial } from '../trial.ts';

export async function startTogether(
  context: RunContext,
  living: LivingServers,
  { round, trials }: { round: number; trials: readonly Trial[] },
): Promise<void> {
  const { signal } = context;
  const servers = [...new Set(trials.map(({ server }) => server))];
  await step(context, 'start', String(round), async (progress) => {
    const all = servers.length;
    let [up, warm] = [0, 0];
    await living.use(round, servers, () => {
      up += 1;
      progress({ fraction: up / all / 2, detail: msg('step.started', { done: up, all }) });
    });
    const started = servers.flatMap((server) => {
      const running = living.running(server);
      const own = trials.filter((one) => one.server === server);
      return running === undefined ? [] : [{ running, own }];
    });
    const warmed = started.map(async ({ running, own }) => {
      const prepared = own.map((trial) =>
        trial.prepare(running, signal).catch((error: unknown) => {
          if (signal.aborted || isEngineLost(error)) throw error;
          trial.unprepared = error;
        }),
      );
      // All have ended before anything is cleaned up.
      for (const result of await Promise.allSettled(prepared)) {
        if (result.status === 'rejected') throw result.reason;
      }
      warm += 1;
      progress({ fraction: (1 + warm / all) / 2, detail: msg('step.warm', { done: warm, all }) });
      await own.find(({ isPrepared }) => isPrepared)?.readAhead();
    });
    for (const result of await Promise.allSettled(warmed)) {
      if (result.status === 'rejected') throw result.reason;
    }
    for (const server of servers) await living.rest(server);
  });
}

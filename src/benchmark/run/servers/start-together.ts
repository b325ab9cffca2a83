import { isEngineLost } from '../../runtime/engine/engine-error.ts';
import { type RunContext, step } from '../context.ts';
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
    await living.use(round, servers);
    const started = servers.flatMap((server) => {
      const running = living.running(server);
      const own = trials.filter((one) => one.server === server);
      return running === undefined ? [] : [{ running, own }];
    });
    for (const { running, own } of started) await own[0]?.readFacts(running);
    let done = 0;
    const warmed = started.map(async ({ running, own }) => {
      for (const trial of own) {
        await trial.prepare(running, signal).catch((error: unknown) => {
          if (signal.aborted || isEngineLost(error)) throw error;
          trial.unprepared = error;
        });
        progress({ fraction: ++done / trials.length, detail: '' });
      }
      await own.find(({ isPrepared }) => isPrepared)?.readAhead();
    });
    for (const result of await Promise.allSettled(warmed)) {
      if (result.status === 'rejected') throw result.reason;
    }
    for (const server of servers) await living.rest(server);
  });
}

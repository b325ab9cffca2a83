import { msg } from '../../../shared/message.ts';
import { isEngineLost } from '../../runtime/engine/engine-error.ts';
import { type RunContext, step } from '../../context/context.ts';
import type { LivingServers } from './living-servers.ts';
import { allOf } from '../../stop.ts';
import type { Trial } from '../trial.ts';

/** Servers of these trials work while the others start. */
export interface FirstLook {
  trials: readonly Trial[];
  take: () => Promise<void>;
}

interface Start {
  round: number;
  trials: readonly Trial[];
  firstLook?: FirstLook | undefined;
}

export async function startTogether(
  context: RunContext,
  living: LivingServers,
  { round, trials, firstLook }: Start,
): Promise<void> {
  const { signal } = context;
  const servers = [...new Set(trials.map(({ server }) => server))];
  const firstOnes = new Set(firstLook?.trials.map(({ server }) => server));
  await step(context, 'start', String(round), async (progress) => {
    const all = servers.length;
    let [up, warm] = [0, 0];
    const tell = (key: 'step.started' | 'step.warm', done: number): void =>
      progress({ fraction: (up + warm) / all / 2, detail: msg(key, { done, all }) });
    const warmUp = async (own: readonly Trial[]): Promise<void> => {
      const [running] = own.flatMap(({ server }) => living.running(server) ?? []);
      if (running === undefined) return;
      await allOf(
        own.map((trial) =>
          trial.prepare(running, signal).catch((error: unknown) => {
            if (signal.aborted || isEngineLost(error)) throw error;
            trial.unprepared = error;
          }),
        ),
      );
      tell('step.warm', ++warm);
      await own.find(({ isPrepared }) => isPrepared)?.readAhead();
    };
    const start = async (use: 'use' | 'add', some: typeof servers): Promise<void> => {
      await living[use](round, some, () => tell('step.started', ++up));
      await allOf(some.map((server) => warmUp(trials.filter((one) => one.server === server))));
      for (const server of some) await living.rest(server);
    };
    if (firstLook === undefined) return start('use', servers);
    await start('use', [...firstOnes]);
    const others = servers.filter((one) => !firstOnes.has(one));
    await allOf([start('add', others), firstLook.take()]);
  });
}

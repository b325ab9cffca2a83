import { tps } from '../../shared/model/measurements.ts';
import { storagesToRepresent } from '../../shared/run/long-slices.ts';
import { createRandom, shuffled } from '../random.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { type RunContext, step } from './context.ts';
import type { EngineBenches } from './servers/engine-bench.ts';
import { Trial } from './trial.ts';

/**
 * After the rounds: each storage under load without a pause, in random order, to show what slows only after a
 * while. One that fails is left out.
 */
export async function measureLongSlices(
  context: Pick<RunContext, 'control' | 'plan' | 'signal'>,
  benches: EngineBenches,
  round: number,
): Promise<void> {
  const { control, plan, signal } = context;
  const { longSliceSeconds } = plan.schedule;
  if (longSliceSeconds === undefined) return;
  for (const scenario of shuffled(storagesToRepresent(plan), createRandom(plan.seed))) {
    const bench = benches.of(scenario);
    if (bench.lost !== undefined) continue;
    const { context: own, environment, living } = bench;
    const server = environment.servers.get(scenario.serverId);
    if (server === undefined || server instanceof BenchmarkError) continue;
    await control.pausePoint(signal);
    const trial = new Trial(own, environment, { scenario, round, server });
    try {
      await step(own, 'long-slice', scenario.serverId, async (progress) => {
        await trial.prepare(await living.get(round, server), signal);
        const totals = await trial.measureLong(longSliceSeconds, progress, signal);
        own.emit({ type: 'long-slice', scenarioId: scenario.id, tps: tps(totals) });
      });
      await trial.release();
      await living.rest(server);
    } catch (error) {
      if (signal.aborted) throw error;
      if (isEngineLost(error)) {
        benches.lose(bench, error);
        continue;
      }
      await trial.release().catch(() => undefined);
      living.end(server);
    }
  }
}

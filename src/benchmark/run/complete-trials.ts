import type { WholeRun } from '../context/context.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { allOf } from '../stop.ts';
import type { EngineBenches } from './servers/engine-bench.ts';
import type { Trial } from './trial.ts';

/** An error here, as of a shutdown, keeps what was measured. */
export async function completeTrials(
  { plan, emit, signal }: WholeRun,
  benches: EngineBenches,
  round: number,
  trials: readonly Trial[],
): Promise<void> {
  const unlessBroken = async (trial: Trial, work: () => Promise<void>): Promise<void> => {
    const bench = benches.of(trial.scenario);
    try {
      await work();
    } catch (error) {
      bench.living.end(trial.server);
      if (signal.aborted) throw error;
      if (isEngineLost(error)) benches.lose(bench, error);
    }
  };
  const measured = trials.flatMap((trial) => {
    const { id: trialId, totals } = trial;
    if (totals === undefined) return [];
    emit({ type: 'trial-finished', trialId, totals });
    return [trial];
  });
  try {
    if (plan.schedule.sliceSeconds !== undefined) {
      for (const trial of measured) await unlessBroken(trial, () => benches.count(round, trial));
    }
    await allOf(measured.map((trial) => unlessBroken(trial, () => trial.complete())));
  } finally {
    for (const { id: trialId } of measured)
      if (!signal.aborted) emit({ type: 'trial-phase', trialId, phase: 'stop' });
  }
}

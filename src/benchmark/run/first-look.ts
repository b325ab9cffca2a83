import { sampleOf } from '../../shared/analysis/samples.ts';
import type { Slice } from '../../shared/model/measurements.ts';
import { ENOUGH_SAMPLES } from '../../shared/statistics/estimate.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import type { WholeRun } from '../context/context.ts';
import { createRandom, shuffled } from '../random.ts';
import type { EngineBenches } from './servers/engine-bench.ts';
import type { FirstLook } from './servers/start-together.ts';
import type { Trial } from './trial.ts';

/** With fewer servers, the first figures come soon anyway. */
const FEWEST_SERVERS = 4;

/** Undefined for runs without an early look. */
export function firstLookOf(
  context: WholeRun,
  benches: EngineBenches,
  round: number,
  trials: readonly Trial[],
): FirstLook | undefined {
  const { plan, earlier } = context;
  const isSimple = plan.groups.length === 1 && plan.engines.length === 1;
  if (round > 1 || earlier !== undefined || !isSimple) return undefined;
  const baseline = plan.scenarios.find(({ id }) => id === plan.baselineId);
  const own = trials.filter(
    ({ scenario }) => !scenario.isAaRepeat && scenario.storage.kind === baseline?.storage.kind,
  );
  const serversOf = (some: readonly Trial[]): number => new Set(some.map(({ server }) => server)).size;
  const all = serversOf(trials);
  if (all < FEWEST_SERVERS || own.length < 2 || serversOf(own) > all / 2) return undefined;
  return { trials: own, take: () => take(context, benches, round, own) };
}

async function take(
  { plan, control, emit, signal }: WholeRun,
  benches: EngineBenches,
  round: number,
  trials: readonly Trial[],
): Promise<void> {
  const slices = new Map(trials.map(({ id }) => [id, [] as Slice[]]));
  for (let pass = 1; pass <= ENOUGH_SAMPLES; pass++) {
    const order = shuffled([...trials], createRandom(plan.seed, sampleOf(round, pass)));
    for (const [index, trial] of order.entries()) {
      if (control.isPauseRequested || !trial.isPrepared) return;
      const { living } = benches.of(trial.scenario);
      try {
        await living.get(round, trial.server);
        const { transactions, durationMs } = await trial.look(signal);
        slices.get(trial.id)?.push({ pass, position: index + 1, transactions, durationMs });
        if (pass === ENOUGH_SAMPLES) await trial.readAhead();
      } catch (error) {
        if (signal.aborted || isEngineLost(error)) throw error;
        await trial.release();
        return;
      } finally {
        if (!signal.aborted) await living.rest(trial.server);
      }
    }
  }
  emit({ type: 'first-look', slices: Object.fromEntries(slices) });
}

import { BenchmarkError } from '../../../shared/errors.ts';
import { ROLE_LABEL } from '../../runtime/labels.ts';
import type { Cleanup } from '../cleanup.ts';
import type { RunContext } from '../context.ts';

/**
 * Makes the run's overlay network, and a swarm for it if there is none. Returns its name. Rejects with CONSENT_MISSING when
 * the user agreed to the other case: the swarm that the plan saw is gone, or there is one by now.
 */
export async function prepareOverlay(
  { runtime, plan, runId }: RunContext,
  name: string,
  labels: Record<string, string>,
  cleanup: Cleanup,
): Promise<string> {
  const isNew = (await runtime.swarm.state()).state === 'inactive';
  const consent = isNew ? 'swarm' : 'existing-swarm';
  if (!plan.consents.some((one) => one.consent === consent)) {
    throw new BenchmarkError('CONSENT_MISSING', {
      what: isNew
        ? 'the swarm that was there when the plan was made is gone, and a new one would have to be started.'
        : 'the engine is in a swarm that was not there when the plan was made, and this run would use it.',
      consent,
    });
  }
  if (isNew) {
    // By its labels it only ever leaves the swarm of this run, so it may be asked even after a start that failed.
    cleanup.add('swarm', () => runtime.swarm.leave(runId));
    await runtime.swarm.init({ ...labels, [ROLE_LABEL]: 'swarm' });
  }
  const id = await runtime.createNetwork(name, labels, 'overlay');
  cleanup.add('network', () => runtime.removeNetwork(id));
  return name;
}

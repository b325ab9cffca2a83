import { BenchmarkError } from '../../../shared/errors.ts';
import type { SwarmEngine, ServiceTask } from '../../runtime/container-runtime.ts';
import { checkStopped } from '../../stop.ts';

/** Tasks make no events: the API only lets us ask again. */
const ASK_AGAIN_MS = 100;
/** Until a node that is busy or slow has made a container of an image that it has. */
const START_MS = 60_000;

const ENDED: ReadonlySet<string> = new Set([
  'complete',
  'shutdown',
  'failed',
  'rejected',
  'orphaned',
  'remove',
]);

const RAN: ReadonlySet<string> = new Set(['complete', 'failed']);

/**
 * Waits until the task of a service runs. Rejects with CLIENT_IMAGE_MISSING_ON_NODE when its node doesn't have `image`,
 * with ENGINE_REFUSED and the engine's words when it ends or does not come to run, or with STOPPED. `orEnded`: one that
 * ran and has ended is as good.
 */
export async function runningTask(
  swarm: SwarmEngine,
  serviceId: string,
  options: { image: string; signal: AbortSignal; orEnded?: boolean; startMs?: number },
): Promise<ServiceTask> {
  const { image, signal, orEnded = false, startMs = START_MS } = options;
  const start = Date.now();
  for (;;) {
    checkStopped(signal);
    const task = await swarm.serviceTask(serviceId);
    if (task?.state === 'running') return task;
    if (orEnded && task?.containerId !== undefined && RAN.has(task.state)) return task;
    const late = Date.now() - start > startMs;
    if (task !== undefined && (late || ENDED.has(task.state))) throw notRunning(task, image);
    if (late) throw refused('the swarm made no task of it');
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

function notRunning({ state, message }: ServiceTask, image: string): BenchmarkError {
  return /no such image/i.test(message)
    ? new BenchmarkError('CLIENT_IMAGE_MISSING_ON_NODE', { image }, { evidence: [`${state}: ${message}`] })
    : refused(`its task is “${state}”: ${message}`);
}

function refused(reason: string): BenchmarkError {
  return new BenchmarkError('ENGINE_REFUSED', { action: 'run a service', reason });
}

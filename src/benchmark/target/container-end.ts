import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/**
 * Rejects with CONTAINER_PAUSED when somebody pauses a container; never resolves. Silent where the engine can't tell, and
 * once `signal` has aborted.
 */
export async function untilPaused(
  runtime: ContainerRuntime,
  containerId: string,
  signal: AbortSignal,
): Promise<never> {
  const isPaused = await runtime.waitPaused(containerId, signal).then(
    () => !signal.aborted,
    () => false,
  );
  if (isPaused) throw new BenchmarkError('CONTAINER_PAUSED');
  return new Promise<never>(() => undefined);
}

/** The exit code of a container that runs to its end. Rejects as `waitContainer` does, and with CONTAINER_PAUSED. */
export async function exitOf(
  runtime: ContainerRuntime,
  containerId: string,
  signal?: AbortSignal,
): Promise<number> {
  const over = new AbortController();
  try {
    const paused = untilPaused(runtime, containerId, over.signal);
    return await Promise.race([runtime.waitContainer(containerId, signal), paused]);
  } finally {
    over.abort();
  }
}

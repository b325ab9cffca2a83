import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerRuntime } from '../container-runtime.ts';

/** How long an engine may stay away: a laptop wakes in seconds, an engine restarts in some more. Ms. */
const AWAY_MS = 30_000;
const BETWEEN_MS = 500;

/** Whether a lost engine answers again within its time, in the version that it had. False as soon as the run is stopped. */
export async function returnsSoon(
  runtime: Pick<ContainerRuntime, 'ping' | 'passport'>,
  signal: AbortSignal,
  awayMs = AWAY_MS,
): Promise<boolean> {
  const until = performance.now() + awayMs;
  const { engineVersion, kernel } = runtime.passport.runtime;
  while (!signal.aborted) {
    const now = await runtime.ping().catch(() => undefined);
    if (now !== undefined) return now.engineVersion === engineVersion && now.kernel === kernel;
    if (performance.now() > until) return false;
    await wait(BETWEEN_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

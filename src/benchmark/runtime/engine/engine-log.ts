import type { BenchmarkError } from '../../../shared/errors.ts';
import { errorFields, log } from '../../log/log.ts';
import { statusOf } from './engine-error.ts';

/** The same failure again is only told after so long: some things are asked every second. */
const QUIET_MS = 60_000;
const MOST_KNOWN = 200;
/** When each was told last, and how often it came since. */
const told = new Map<string, { at: number; since: number }>();

/** Logs a request that the engine refused or did not answer, after `ms`; one that we gave up ourselves is no failure. */
export function logEngineFailure(action: string, failure: BenchmarkError, ms: number): void {
  if (failure.code === 'STOPPED') return;
  const key = `${action}\n${failure.code}\n${failure.message}`;
  const before = told.get(key);
  const now = Date.now();
  if (before !== undefined && now - before.at < QUIET_MS) {
    before.since += 1;
    return;
  }
  if (told.size >= MOST_KNOWN) told.clear();
  told.set(key, { at: now, since: 0 });
  const status = statusOf(failure.cause);
  log.warn('request of the engine failed', {
    action,
    ms,
    ...(status === undefined ? {} : { status }),
    ...(before === undefined || before.since === 0 ? {} : { alsoSinceLastTold: before.since }),
    error: errorFields(failure.toData()),
  });
}

import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { unlessStopped } from '../stop.ts';
import type { RunningServer } from '../target/target-server.ts';

/** What a lost connection looks like to a client. */
const LOST: ReadonlySet<ErrorCode> = new Set(['LOAD_FAILED', 'DATASET_FAILED']);
/** A server that dies loses its connections first; so long its engine may take to notice, ms. */
const NOTICE_MS = 2000;

/** A client sees a dead server only as lost connections; the server's own end says more. STOPPED once the run is stopped. */
export async function diagnoseLostConnection(
  error: unknown,
  running: RunningServer,
  signal: AbortSignal,
): Promise<unknown> {
  if (isEngineLost(error)) return error;
  const ended = running.failed.catch((reason: unknown) => reason);
  try {
    if (await running.isAlive()) {
      if (!(error instanceof BenchmarkError) || !LOST.has(error.code)) return error;
      return await Promise.race([ended, later(error)]);
    }
  } catch (lost) {
    return isEngineLost(lost) ? lost : error;
  }
  // Once the run is stopped nobody follows the server to its end any more.
  return unlessStopped(signal, ended).catch((stopped: unknown) => stopped);
}

function later<T>(value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, NOTICE_MS, value));
}

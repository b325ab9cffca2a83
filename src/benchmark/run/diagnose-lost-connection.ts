import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { unlessStopped } from '../stop.ts';
import type { RunningServer } from '../target/target-server.ts';

/** How clients report a lost connection. */
const LOST: ReadonlySet<ErrorCode> = new Set(['LOAD_FAILED', 'DATASET_FAILED']);
/** For the engine to notice a dead server, ms. */
const NOTICE_MS = 2000;

/** The server's own end if it died, since clients only see lost connections. STOPPED once the run is stopped. */
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
  // After a stop nobody waits for the server's end.
  return unlessStopped(signal, ended).catch((stopped: unknown) => stopped);
}

function later<T>(value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, NOTICE_MS, value));
}

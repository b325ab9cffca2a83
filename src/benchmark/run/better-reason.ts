import type { RunningServer } from '../target/target-server.ts';
import { isEngineLost } from './context.ts';

/** A client sees a dead server only as lost connections; the server's own end says more. */
export async function betterReason(error: unknown, running: RunningServer): Promise<unknown> {
  if (isEngineLost(error)) return error;
  try {
    if (await running.isAlive()) return error;
  } catch (lost) {
    return isEngineLost(lost) ? lost : error;
  }
  return running.failed.catch((reason: unknown) => reason);
}

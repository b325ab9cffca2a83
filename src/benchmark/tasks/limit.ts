import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { linkedTo } from '../stop.ts';

export function failed(reason: ReturnType<typeof msg>): BenchmarkError {
  return new BenchmarkError('TASK_FAILED', { reason });
}

/** A timeout aborts `work`, and rejects with TASK_FAILED. */
export async function withinLimit<T>(
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limited = linkedTo(signal);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    limited.end();
  }, seconds * 1000);
  try {
    return await work(limited.signal);
  } catch (error) {
    throw isLate && !signal.aborted ? failed(msg('task.limit', { seconds })) : error;
  } finally {
    clearTimeout(timer);
    limited.end();
  }
}

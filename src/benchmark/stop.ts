import { setMaxListeners } from 'node:events';
import { BenchmarkError } from '../shared/errors.ts';

/** Rejects with STOPPED without waiting for `work`. */
export function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new BenchmarkError('STOPPED'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Aborts with `signal` or `end`. Electron 22: its Node has no `AbortSignal.any`. */
export function linkedTo(signal: AbortSignal): { signal: AbortSignal; end(): void } {
  const own = new AbortController();
  setMaxListeners(50, own.signal);
  const end = (): void => {
    signal.removeEventListener('abort', end);
    own.abort();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return { signal: own.signal, end };
}

export function checkStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new BenchmarkError('STOPPED');
}

/** Rejects with the first error once all have ended. */
export async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}

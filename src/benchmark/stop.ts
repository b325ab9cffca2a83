import { setMaxListeners } from 'node:events';
import { BenchmarkError } from '../shared/errors.ts';

/** Rejects with STOPPED as soon as the run is stopped, whatever `work` still does. */
export function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new BenchmarkError('STOPPED'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * A signal that aborts with another one, and at the latest with `end`: for work that nobody must wait for any more once
 * something else has failed.
 */
export function linkedTo(signal: AbortSignal): { signal: AbortSignal; end(): void } {
  const own = new AbortController();
  // A load listens with every connection.
  setMaxListeners(50, own.signal);
  const end = (): void => {
    signal.removeEventListener('abort', end);
    own.abort();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return { signal: own.signal, end };
}

/** Throws STOPPED when the run has been stopped. */
export function checkStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new BenchmarkError('STOPPED');
}

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

/** Throws STOPPED when the run has been stopped. */
export function checkStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new BenchmarkError('STOPPED');
}

import { setMaxListeners } from 'node:events';

/** Each login costs a thread, and the server's queue is short. */
const AT_ONCE = 8;

/** The first error is thrown once all have ended. */
export async function loginsAtOnce(
  first: number,
  count: number,
  connecting: AbortController,
  open: (connection: number) => Promise<void>,
): Promise<void> {
  const { signal } = connecting;
  setMaxListeners(0, signal);
  let next = first;
  let failure: { error: unknown } | undefined;
  const openSome = async (): Promise<void> => {
    try {
      while (next < first + count && !signal.aborted) await open(next++);
    } catch (error) {
      failure ??= { error };
      connecting.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, openSome));
  if (failure !== undefined) throw failure.error;
}

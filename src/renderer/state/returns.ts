/**
 * Calls `onReturn` whenever the user comes back to the window, from another program that changed something perhaps: a
 * terminal that has measured, Docker that was started. Returns what ends it.
 */
export function watchReturns(onReturn: () => void): () => void {
  const seen = (): void => {
    if (document.visibilityState === 'visible') onReturn();
  };
  window.addEventListener('focus', seen);
  document.addEventListener('visibilitychange', seen);
  return () => {
    window.removeEventListener('focus', seen);
    document.removeEventListener('visibilitychange', seen);
  };
}

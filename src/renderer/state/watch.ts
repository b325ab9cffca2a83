import { diagnoseDocker } from '../../shared/docker/docker-trouble.ts';
import { request } from '../api.ts';
import { app } from './app.svelte.ts';

/** Asking the sockets of this machine takes milliseconds. */
const EVERY_MS = 3_000;
/** An engine on another machine is asked this many times less often: each try is a login there. */
const REMOTE_EVERY = 10;

/**
 * Calls `onReturn` whenever the user comes back to the window: another program may have changed something, a terminal
 * that measured or Docker that was started. The returned function ends it.
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

/**
 * Looks for an engine while none is usable: every few seconds, and when the user comes back to the window; never while
 * the window is hidden. The returned function ends it.
 */
export function watchForDocker(): () => void {
  let isOver = false;
  let looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async (): Promise<void> => {
    clearTimeout(timer);
    looks += 1;
    if (document.visibilityState === 'visible' && !app.isLooking) await lookNearby(looks);
    if (!isOver) timer = setTimeout(() => void look(), EVERY_MS);
  };

  timer = setTimeout(() => void look(), EVERY_MS);
  const stopWatching = watchReturns(() => void look());
  return () => {
    isOver = true;
    clearTimeout(timer);
    stopWatching();
  };
}

/** Failures are not shown: the next look comes soon. */
async function lookNearby(looks: number): Promise<void> {
  const isRemote = app.report !== undefined && diagnoseDocker(app.report)?.state === 'remote-unreachable';
  const nearby = !(isRemote && looks % REMOTE_EVERY === 0);
  const report = await request('runtimes:look', { nearby }).catch(() => undefined);
  if (report !== undefined && !app.isLooking) app.report = report;
}

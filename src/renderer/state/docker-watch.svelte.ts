import { diagnoseDocker } from '../../shared/docker/docker-trouble.ts';
import { request } from '../api.ts';
import { app } from './app.svelte.ts';
import { watchReturns } from './returns.ts';

/** Asking the sockets of this machine takes milliseconds. */
const EVERY_MS = 3_000;
/** An engine on another machine is only asked so many times more seldom: each try is a login there. */
const REMOTE_EVERY = 10;

/**
 * Looks for an engine again and again while none is usable: every few seconds, and at once when the user comes back to
 * the window, from starting Docker perhaps. Nobody is asked while the window is hidden. Returns what ends it.
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

/** Without a word when it fails: the next look comes soon, and the button says why. */
async function lookNearby(looks: number): Promise<void> {
  const isRemote = app.report !== undefined && diagnoseDocker(app.report)?.state === 'remote-unreachable';
  const nearby = !(isRemote && looks % REMOTE_EVERY === 0);
  const report = await request('runtimes:look', { nearby }).catch(() => undefined);
  if (report !== undefined && !app.isLooking) app.report = report;
}

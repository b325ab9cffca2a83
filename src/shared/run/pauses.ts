import type { RunOutline, TrialOutline } from '../model/run-state.ts';

/** Whether the run waits for the user now. */
export function isPaused({ pauses }: Pick<RunOutline, 'pauses'>): boolean {
  return pauses.some(({ until }) => until === null);
}

/** How long nothing was done between two moments, because the run waited for the user or had ended, ms. */
export function pausedMs({ pauses }: Pick<RunOutline, 'pauses'>, from: number, until: number): number {
  return pauses.reduce((sum, pause) => {
    const begin = Math.max(from, pause.from);
    const end = Math.min(until, pause.until ?? until);
    return sum + Math.max(0, end - begin);
  }, 0);
}

/** Whether the user has left this trial out; what it had measured until then does not count. */
export function isSkipped({ error }: Pick<TrialOutline, 'error'>): boolean {
  return error?.code === 'SKIPPED';
}

/** When the run was gone on with, in order. */
export function continuedAt({ pauses }: Pick<RunOutline, 'pauses'>): number[] {
  return pauses.flatMap(({ until, interrupted }) => (interrupted && until !== null ? [until] : []));
}

/** When the sitting began that the run is in, or ended in. */
export function sittingBegan(run: Pick<RunOutline, 'pauses' | 'startedAt'>): number {
  return continuedAt(run).at(-1) ?? run.startedAt;
}

/** Whether a trial has begun in the sitting that the run is in. */
export function hasBegun(run: Pick<RunOutline, 'pauses' | 'startedAt' | 'trials'>): boolean {
  const since = sittingBegan(run);
  return run.trials.some(({ startedAt }) => startedAt !== null && startedAt >= since);
}

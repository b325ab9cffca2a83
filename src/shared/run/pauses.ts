import type { RunOutline, TrialOutline } from '../model/run-state.ts';

export function isPaused({ pauses }: Pick<RunOutline, 'pauses'>): boolean {
  return pauses.some(({ until }) => until === null);
}

/** ms between two moments in which the run was paused or had ended. */
export function pausedMs({ pauses }: Pick<RunOutline, 'pauses'>, from: number, until: number): number {
  return pauses.reduce((sum, pause) => {
    const begin = Math.max(from, pause.from);
    const end = Math.min(until, pause.until ?? until);
    return sum + Math.max(0, end - begin);
  }, 0);
}

/** Whether the user skipped it. */
export function isSkipped({ error }: Pick<TrialOutline, 'error'>): boolean {
  return error?.code === 'SKIPPED';
}

/** When the run was continued, in order. */
export function continuedAt({ pauses }: Pick<RunOutline, 'pauses'>): number[] {
  return pauses.flatMap(({ until, interrupted }) => (interrupted && until !== null ? [until] : []));
}

/** Start of the current or last session. */
export function sittingBegan(run: Pick<RunOutline, 'pauses' | 'startedAt'>): number {
  return continuedAt(run).at(-1) ?? run.startedAt;
}

/** Whether a trial began in the current session. */
export function hasBegun(run: Pick<RunOutline, 'pauses' | 'startedAt' | 'trials'>): boolean {
  const since = sittingBegan(run);
  return run.trials.some(({ startedAt }) => startedAt !== null && startedAt >= since);
}

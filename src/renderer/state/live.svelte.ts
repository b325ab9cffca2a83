import type { RunView, TrialView } from '../../shared/model/run-view.ts';

export const LIVE_VIEWS = ['overview', 'focus'] as const;
export type LiveView = (typeof LIVE_VIEWS)[number];

/** What the live screen shows; kept while the user visits other screens. */
class LiveState {
  view = $state<LiveView>('overview');
  /** The trial that the user chose; without one the focus is on the current trial. */
  chosen = $state.raw<{ runId: string; trialId: string } | undefined>();
}

export const live = new LiveState();

/** Shows one trial; without an id the current one. */
export function focusOn(run: Pick<RunView, 'runId'>, trialId?: string): void {
  live.chosen = trialId === undefined ? undefined : { runId: run.runId, trialId };
  live.view = 'focus';
}

/**
 * The trial in focus: the chosen one, else the one that runs, else the last one that did; undefined before the first.
 */
export function focusedTrial(run: RunView, chosen: typeof live.chosen): TrialView | undefined {
  const wanted = chosen?.runId === run.runId ? chosen.trialId : undefined;
  const begun = run.trials.filter(({ startedAt }) => startedAt !== null);
  return (
    begun.find(({ id }) => id === wanted) ?? begun.find(({ status }) => status === 'running') ?? begun.at(-1)
  );
}

import { createSubscriber } from 'svelte/reactivity';
import { currentTrial } from '../../shared/model/run-state.ts';
import type { RunView, TrialView } from '../../shared/model/run-view.ts';
import type { Figure } from '../../shared/words/method.ts';

class ShellState {
  dialog = $state<'about' | 'diagnostics' | undefined>();
  figure = $state<Figure | 'top' | undefined>();
  onBattery = $state(false);
}

export const shell = new ShellState();

const TICK_MS = 1000;

class Clock {
  #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MS);
    return () => clearInterval(timer);
  });

  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const clock = new Clock();

export const LIVE_VIEWS = ['overview', 'focus'] as const;

class LiveState {
  view = $state<(typeof LIVE_VIEWS)[number]>('overview');
  chosen = $state.raw<{ runId: string; trialId: string } | undefined>();
}

export const live = new LiveState();

export function focusOn(run: Pick<RunView, 'runId'>, trialId?: string): void {
  live.chosen = trialId === undefined ? undefined : { runId: run.runId, trialId };
  live.view = 'focus';
}

/** The chosen, else the running, else the last trial that began. */
export function focusedTrial(run: RunView, chosen: typeof live.chosen): TrialView | undefined {
  const wanted = chosen?.runId === run.runId ? chosen.trialId : undefined;
  const begun = run.trials.filter(({ startedAt }) => startedAt !== null);
  return begun.find(({ id }) => id === wanted) ?? currentTrial(begun) ?? begun.at(-1);
}

/** Calls `onReturn` when the user comes back to the window; the returned function ends it. */
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

import { createSubscriber } from 'svelte/reactivity';
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

/** The returned function ends the watch. */
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

import { createSubscriber } from 'svelte/reactivity';
import type { Figure } from '../../shared/words/method.ts';

/** What lies over every screen, and what powers the machine. */
class ShellState {
  dialog = $state<'about' | 'diagnostics' | undefined>();
  /** The figure whose paragraph of the method is open, or its beginning; undefined: the reader is closed. */
  figure = $state<Figure | 'top' | undefined>();
  onBattery = $state(false);
}

export const shell = new ShellState();

const TICK_MS = 1000;

/** The time, updated once a second while something shows it. */
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

import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;

/** The time, told once a second to whoever shows it and to nobody else. */
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

/** Keeps events while nobody in the window listens, so that none is lost while the page loads. */
export interface EventQueue<E> {
  push(event: E): void;
  /** Somebody listens: what waited is sent, in order. */
  open(): void;
  /** The page went away; events wait again, those for the old page are of no use to the next. */
  close(): void;
  /** Forgets those that wait and that the window has just learnt of in another way. */
  forget(isKnown: (event: E) => boolean): void;
}

/** A queue that sends what it holds as soon as somebody listens. */
export function createEventQueue<E>(send: (event: E) => void): EventQueue<E> {
  let waiting: E[] = [];
  let isOpen = false;
  return {
    push(event) {
      if (isOpen) send(event);
      else waiting.push(event);
    },
    open() {
      isOpen = true;
      const events = waiting;
      waiting = [];
      for (const event of events) send(event);
    },
    close() {
      isOpen = false;
      waiting = [];
    },
    forget(isKnown) {
      waiting = waiting.filter((event) => !isKnown(event));
    },
  };
}

import { request } from '../api.ts';

/** How long a button says that something was copied. */
const SAID_MS = 2_500;

/** Copies for one button, and remembers for a moment that it did. */
export class Copying {
  isDone = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Puts a text on the clipboard. Rejects as requests do. */
  async copy(text: string): Promise<void> {
    await request('clipboard:write-text', { text });
    this.isDone = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.isDone = false), SAID_MS);
  }
}

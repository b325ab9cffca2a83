import { request } from '../api.ts';

/** How long a button says that something was copied. */
const SAID_MS = 2_500;

/** Copies for one button, and remembers for a moment that it did. */
export class Copying {
  /** Which of the button's texts was copied a moment ago; undefined: none. */
  copied = $state<string | undefined>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Puts a text on the clipboard; `name` tells several texts of one place apart. Rejects as requests do. */
  async copy(text: string, name = ''): Promise<void> {
    await request('clipboard:write-text', { text });
    this.copied = name;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.copied = undefined), SAID_MS);
  }
}

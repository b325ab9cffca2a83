import type { Random } from '../../../shared/random.ts';

/**
 * The planned starts of transactions at a fixed rate: a Poisson process, so that the time from one to the next is
 * exponentially distributed, −ln(1 − u)/λ for a uniform u. Those that are due wait here, first come, first served.
 */
export class Arrivals {
  readonly #perMs: number;
  readonly #random: Random;
  #next: number;
  #due: number[] = [];
  /** How many of `#due` have been taken. */
  #taken = 0;

  /** `perSecond`: planned starts a second; the first comes some time after 0 ms. */
  constructor(perSecond: number, random: Random) {
    this.#perMs = perSecond / 1000;
    this.#random = random;
    this.#next = this.#gap();
  }

  /** The next planned start that is not due yet, ms. */
  get nextMs(): number {
    return this.#next;
  }

  /** How many that are due wait. */
  get waiting(): number {
    return this.#due.length - this.#taken;
  }

  /** Everything planned until `nowMs` is due from now on; returns how many that are. */
  advance(nowMs: number): number {
    let count = 0;
    for (; this.#next <= nowMs; this.#next += this.#gap(), count++) this.#due.push(this.#next);
    return count;
  }

  /** Planned start of the one that waits longest; undefined when none does. */
  take(): number | undefined {
    const planned = this.#due[this.#taken];
    if (planned === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken > 1000 && 2 * this.#taken > this.#due.length) {
      this.#due = this.#due.slice(this.#taken);
      this.#taken = 0;
    }
    return planned;
  }

  /** Takes back what was planned in a time in which nobody could start it; returns how many were due already. */
  skip(fromMs: number, untilMs: number): number {
    const before = this.waiting;
    this.#due = this.#due.slice(this.#taken).filter((planned) => planned < fromMs || planned >= untilMs);
    this.#taken = 0;
    while (this.#next < untilMs) this.#next += this.#gap();
    return before - this.waiting;
  }

  #gap(): number {
    return -Math.log(1 - this.#random()) / this.#perMs;
  }
}

import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';
import type { WorkerReport } from './worker.ts';

/** When as many wait as are planned in this time, more time would only make it worse: seconds. */
const HOPELESS_S = 5;
/** A rate was not held when at the end of measuring as many wait as are planned in this time, seconds … */
const BEHIND_S = 1;
/** … and less than this share of what was planned has been done. */
const DONE = 0.97;

/** Watches over all workers' windows whether the server holds the rate. */
export class HeldRate {
  /** Rejects with RATE_NOT_HELD as soon as there is no hope. */
  readonly lost: Promise<never>;
  readonly #perSecond: number;
  #lose: (error: BenchmarkError) => void = () => undefined;
  #transactions = 0;
  #ms = 0;
  #measured = 0;
  #waiting = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.lost = new Promise<never>((_, reject) => (this.#lose = reject));
    this.lost.catch(() => undefined);
  }

  /** Has to see every window. */
  see({ phase, transactions, durationMs, waiting }: Window): void {
    this.#transactions += transactions;
    this.#ms += durationMs;
    if (phase === 'measure') this.#measured += transactions;
    this.#waiting = waiting ?? 0;
    if (this.#waiting > HOPELESS_S * this.#perSecond) this.#lose(this.#error());
  }

  /** After the last window. Throws RATE_NOT_HELD when the server fell behind. */
  report(reports: readonly WorkerReport[], mostWaiting: number | null): NonNullable<Totals['fixedRate']> {
    const held = reports.flatMap(({ fixedRate }) => fixedRate ?? []);
    const arrivals = held.reduce((sum, one) => sum + one.arrivals, 0);
    if (this.#waiting > BEHIND_S * this.#perSecond && this.#measured < DONE * arrivals) throw this.#error();
    return {
      perSecond: this.#perSecond,
      arrivals,
      mostWaiting: mostWaiting ?? 0,
      lateP99Us: Math.max(...held.map(({ lateP99Us }) => lateP99Us)),
    };
  }

  #error(): BenchmarkError {
    const done = this.#ms > 0 ? (this.#transactions * 1000) / this.#ms : 0;
    return new BenchmarkError('RATE_NOT_HELD', {
      rate: String(this.#perSecond),
      done: done.toFixed(done < 10 ? 1 : 0),
      seconds: String(Math.round(this.#ms / 1000)),
      waiting: String(this.#waiting),
    });
  }
}

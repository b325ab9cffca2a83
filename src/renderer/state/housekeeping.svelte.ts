import type { ErrorData } from '../../shared/errors.ts';
import type { Leftover } from '../../shared/model/leftovers.ts';
import { errorDataOf, request } from '../api.ts';
import { sayError, t } from '../texts.ts';

/** Something that is asked for, shown, and asked for again after each change. */
export class LoadedPart<T> {
  readonly #ask: () => Promise<T>;
  #lastAsked = 0;
  /** Undefined until it is known. */
  value = $state.raw<T | undefined>();
  error = $state.raw<ErrorData | undefined>();
  isLooking = $state(false);
  /** Something is being removed. */
  isBusy = $state(false);

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  /** Asks anew; of several questions the last one's answer counts. */
  async refresh(): Promise<void> {
    const asked = ++this.#lastAsked;
    this.isLooking = true;
    this.error = undefined;
    try {
      const value = await this.#ask();
      if (asked === this.#lastAsked) this.value = value;
    } catch (error) {
      if (asked === this.#lastAsked) this.#failed(error);
    }
    if (asked === this.#lastAsked) this.isLooking = false;
  }

  /** Changes something and asks anew. Undefined when that failed; `error` says why. */
  async change<A>(action: () => Promise<A>): Promise<A | undefined> {
    if (this.isBusy) return undefined;
    this.isBusy = true;
    try {
      const answer = await action();
      await this.refresh();
      return answer;
    } catch (error) {
      this.error = errorDataOf(error);
      return undefined;
    } finally {
      this.isBusy = false;
    }
  }

  /** What was known of another engine must not stand there. */
  #failed(error: unknown): void {
    this.value = undefined;
    this.error = errorDataOf(error);
  }
}

export const dataFolder = new LoadedPart(() => request('housekeeping:data-folder', {}));
export const localImages = new LoadedPart(() => request('housekeeping:images', {}));
export const keptDatasets = new LoadedPart(() => request('housekeeping:datasets', {}));
export const leftovers = new LoadedPart(() => request('housekeeping:leftovers', {}));

/** Leftovers of which only the user can know that nobody needs them. */
export function undecided(): Leftover[] {
  return leftovers.value?.filter(({ consent }) => consent !== null) ?? [];
}

/** What could not be removed and why, a line each. */
export function keptBecause(failed: { name: string; error: ErrorData }[]): string[] {
  return failed.map(({ name, error }) =>
    t('settings.couldNotRemove', { name, reason: sayError(error).message }),
  );
}

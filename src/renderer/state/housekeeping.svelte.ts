import type { ErrorData } from '../../shared/errors.ts';
import type { Leftover } from '../../shared/model/leftovers.ts';
import { errorDataOf, request } from '../api.ts';
import { sayError, t } from '../texts.ts';

export class LoadedPart<T> {
  readonly #ask: () => Promise<T>;
  #lastAsked = 0;
  value = $state.raw<T | undefined>();
  error = $state.raw<ErrorData | undefined>();
  told = $state.raw<string[]>([]);
  isLooking = $state(false);
  isBusy = $state(false);

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  async refresh(): Promise<void> {
    const asked = ++this.#lastAsked;
    this.isLooking = true;
    this.error = undefined;
    this.told = [];
    try {
      const value = await this.#ask();
      if (asked === this.#lastAsked) this.value = value;
    } catch (error) {
      if (asked === this.#lastAsked) {
        this.value = undefined;
        this.error = errorDataOf(error);
      }
    }
    if (asked === this.#lastAsked) this.isLooking = false;
  }

  async change<A>(action: () => Promise<A>, tell: (answer: A) => string[] = () => []): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const answer = await action();
      await this.refresh();
      this.told = tell(answer);
    } catch (error) {
      this.error = errorDataOf(error);
    }
    this.isBusy = false;
  }
}

export const dataFolder = new LoadedPart(() => request('housekeeping:data-folder', {}));
export const localImages = new LoadedPart(() => request('housekeeping:images', {}));
export const keptDatasets = new LoadedPart(() => request('housekeeping:datasets', {}));
export const leftovers = new LoadedPart(() => request('housekeeping:leftovers', {}));

export function undecided(): Leftover[] {
  return leftovers.value?.filter(({ consent }) => consent !== null) ?? [];
}

export function keptBecause(failed: { name: string; error: ErrorData }[]): string[] {
  return failed.map(({ name, error }) =>
    t('settings.couldNotRemove', { name, reason: sayError(error).message }),
  );
}

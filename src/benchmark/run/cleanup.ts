import { toErrorData, type ErrorData } from '../../shared/errors.ts';

/** What has to go, in this order; all of one kind go at the same time. */
const STAGES = ['container', 'storage', 'network', 'swarm'] as const;
type Stage = (typeof STAGES)[number];

/** Everything a run made, with the way to remove it. */
export class Cleanup {
  readonly #entries: { stage: Stage; remove: () => Promise<void> }[] = [];

  add(stage: Stage, remove: () => Promise<void>): void {
    this.#entries.push({ stage, remove });
  }

  /** Removes everything, each once; what can't be removed is returned, and keeps nothing else from going. */
  async run(): Promise<ErrorData[]> {
    const entries = this.#entries.splice(0).reverse();
    const errors: ErrorData[] = [];
    for (const stage of STAGES) {
      const results = await Promise.allSettled(
        entries.filter((entry) => entry.stage === stage).map(({ remove }) => remove()),
      );
      for (const result of results) {
        if (result.status === 'rejected') errors.push(toErrorData(result.reason));
      }
    }
    return errors;
  }
}

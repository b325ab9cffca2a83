import {
  createHistogram,
  encodeHistogram,
  mergeHistograms,
  recordLatency,
} from '../../../shared/histogram.ts';
import { STATEMENT_KINDS, type StatementKind, type Totals } from '../../../shared/model/measurements.ts';

/** How long single statements take on the connections of one worker, by their kind. */
export class StatementTimes {
  readonly #histograms = new Map(STATEMENT_KINDS.map((kind) => [kind, createHistogram()]));
  #recording = false;

  /** From now on times count. */
  begin(): void {
    this.#recording = true;
  }

  /** From now on they don't. */
  end(): void {
    this.#recording = false;
  }

  /** A statement that has been answered; its time in µs. */
  record(kind: StatementKind, us: number): void {
    if (!this.#recording) return;
    const histogram = this.#histograms.get(kind);
    if (histogram !== undefined) recordLatency(histogram, us);
  }

  encoded(): Totals['statements'] {
    const used = [...this.#histograms].filter(([, { totalCount }]) => totalCount > 0);
    return Object.fromEntries(used.map(([kind, histogram]) => [kind, encodeHistogram(histogram)]));
  }
}

/** The times of all workers together. */
export function mergeTimes(workers: readonly Totals['statements'][]): Totals['statements'] {
  const merged: Totals['statements'] = {};
  for (const kind of STATEMENT_KINDS) {
    const encoded = encodeHistogram(mergeHistograms(workers.map((times) => times[kind] ?? '')));
    if (encoded !== '') merged[kind] = encoded;
  }
  return merged;
}

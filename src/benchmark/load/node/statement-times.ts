import {
  createHistogram,
  encodeHistogram,
  mergeHistograms,
  recordLatency,
} from '../../../shared/histogram/histogram.ts';
import { type Totals } from '../../../shared/model/measurements.ts';
import { STATEMENT_KINDS, type StatementKind } from '../../../shared/model/names.ts';

export interface StatementRecorder {
  record(kind: StatementKind, us: number): void;
}

export class StatementTimes implements StatementRecorder {
  readonly #window = new Map(STATEMENT_KINDS.map((kind) => [kind, createHistogram()]));
  readonly #measured = new Map(STATEMENT_KINDS.map((kind) => [kind, createHistogram()]));

  record(kind: StatementKind, us: number, times = 1): void {
    const histogram = this.#window.get(kind);
    if (histogram === undefined) return;
    if (times === 1) recordLatency(histogram, us);
    else histogram.recordValueWithCount(us, times);
  }

  endWindow(counts: boolean): void {
    for (const [kind, histogram] of this.#window) {
      if (histogram.totalCount === 0) continue;
      if (counts) this.#measured.get(kind)?.add(histogram);
      histogram.reset();
    }
  }

  encoded(): Totals['statements'] {
    const used = [...this.#measured].filter(([, { totalCount }]) => totalCount > 0);
    return Object.fromEntries(used.map(([kind, histogram]) => [kind, encodeHistogram(histogram)]));
  }
}

export function mergeTimes(workers: readonly Totals['statements'][]): Totals['statements'] {
  const merged: Totals['statements'] = {};
  for (const kind of STATEMENT_KINDS) {
    const encoded = encodeHistogram(mergeHistograms(workers.map((times) => times[kind] ?? '')));
    if (encoded !== '') merged[kind] = encoded;
  }
  return merged;
}

import {
  createHistogram,
  encodeHistogram,
  type Histogram,
  mergeHistograms,
  recordLatency,
} from '../../../shared/histogram/histogram.ts';
import { type Totals } from '../../../shared/model/measurements.ts';
import { STATEMENT_KINDS, type StatementKind } from '../../../shared/model/names.ts';
import { TPCC_TYPES, type TpccType } from '../../../shared/model/workload.ts';

export type EncodedTimes = Pick<Totals, 'statements' | 'transactionTypes'>;

export interface TimesRecorder {
  record(kind: StatementKind, us: number): void;
  recordTransaction(type: TpccType, us: number): void;
}

export class StatementTimes implements TimesRecorder {
  readonly #statements = new TimesBy(STATEMENT_KINDS);
  readonly #transactions = new TimesBy(TPCC_TYPES);

  record(kind: StatementKind, us: number, times = 1): void {
    this.#statements.record(kind, us, times);
  }

  recordTransaction(type: TpccType, us: number): void {
    this.#transactions.record(type, us);
  }

  endWindow(counts: boolean): void {
    this.#statements.endWindow(counts);
    this.#transactions.endWindow(counts);
  }

  take(): EncodedTimes {
    return { statements: this.#statements.take(), transactionTypes: this.#transactions.take() };
  }
}

export class PendingTimes implements TimesRecorder {
  readonly #times: StatementTimes;
  readonly #pending: (() => void)[] = [];

  constructor(times: StatementTimes) {
    this.#times = times;
  }

  record(kind: StatementKind, us: number): void {
    this.#pending.push(() => this.#times.record(kind, us));
  }

  recordTransaction(type: TpccType, us: number): void {
    this.#pending.push(() => this.#times.recordTransaction(type, us));
  }

  end(counts: boolean): void {
    if (counts) for (const record of this.#pending) record();
    this.#pending.length = 0;
  }
}

class TimesBy<K extends string> {
  readonly #window: Map<K, Histogram>;
  readonly #measured: Map<K, Histogram>;

  constructor(keys: readonly K[]) {
    this.#window = new Map(keys.map((key) => [key, createHistogram()]));
    this.#measured = new Map(keys.map((key) => [key, createHistogram()]));
  }

  record(key: K, us: number, times = 1): void {
    const histogram = this.#window.get(key);
    if (histogram === undefined) return;
    if (times === 1) recordLatency(histogram, us);
    else histogram.recordValueWithCount(us, times);
  }

  endWindow(counts: boolean): void {
    for (const [key, histogram] of this.#window) {
      if (histogram.totalCount === 0) continue;
      if (counts) this.#measured.get(key)?.add(histogram);
      histogram.reset();
    }
  }

  take(): Partial<Record<K, string>> {
    const encoded: Partial<Record<K, string>> = {};
    for (const [key, histogram] of this.#measured) {
      if (histogram.totalCount === 0) continue;
      encoded[key] = encodeHistogram(histogram);
      histogram.reset();
    }
    return encoded;
  }
}

export function mergeTimes(workers: readonly EncodedTimes[]): EncodedTimes {
  return {
    statements: merged(
      STATEMENT_KINDS,
      workers.map(({ statements }) => statements),
    ),
    transactionTypes: merged(
      TPCC_TYPES,
      workers.map(({ transactionTypes }) => transactionTypes),
    ),
  };
}

function merged<K extends string>(
  keys: readonly K[],
  workers: readonly Partial<Record<K, string>>[],
): Partial<Record<K, string>> {
  const all: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const encoded = encodeHistogram(mergeHistograms(workers.map((times) => times[key] ?? '')));
    if (encoded !== '') all[key] = encoded;
  }
  return all;
}

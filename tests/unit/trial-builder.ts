import {
  createHistogram,
  encodeHistogram,
  type Histogram,
  type Latency,
  summarizeHistogram,
} from '../../src/shared/histogram/histogram.ts';
import type { ClientHealth, Totals, Window } from '../../src/shared/model/measurements.ts';
import type { Plan } from '../../src/shared/model/plan.ts';
import { isTpcc } from '../../src/shared/model/workload.ts';
import type { Random } from '../../src/benchmark/random.ts';

/** Windows of a trial whose `measure` phase comes to exactly the given rate. */
export function makeWindows(
  plan: Plan,
  tps: number,
  random: Random,
  errors: Record<string, number>,
): Window[] {
  const { warmupSeconds, durationSeconds } = plan.schedule;
  return (['warmup', 'measure'] as const).flatMap((phase) => {
    const count = phase === 'warmup' ? warmupSeconds : durationSeconds;
    const weights = Array.from({ length: count }, () => 0.94 + 0.12 * random());
    const sum = weights.reduce((all, one) => all + one, 0);
    const total = Math.round(tps * count);
    let before = 0;
    let weight = 0;
    return weights.map((own, index): Window => {
      weight += own;
      const until = index === count - 1 ? total : Math.round((total * weight) / sum);
      const transactions = until - before;
      before = until;
      const first = phase === 'measure' && index === 0;
      return makeWindow(plan, phase, index, transactions, first ? errors : {});
    });
  });
}

export function makeSlice(
  plan: Plan,
  tps: number,
  place: { pass: number; position: number; startMs: number },
): Window {
  const { sliceSeconds = 1 } = plan.schedule;
  const window = makeWindow(plan, 'measure', place.pass - 1, Math.round(tps * sliceSeconds), {});
  return { ...window, ...place, durationMs: sliceSeconds * 1000 };
}

function makeWindow(
  plan: Plan,
  phase: Window['phase'],
  index: number,
  transactions: number,
  errors: Record<string, number>,
): Window {
  const writes = plan.workload.kind === 'oltp_read_write' ? 4 : 0;
  return {
    phase,
    index,
    startMs: index * 1000,
    durationMs: 1000,
    transactions,
    reads: transactions * 14,
    writes: transactions * writes,
    other: transactions * 2,
    errors,
    rollbacks: isTpcc(plan.workload) ? Math.round(transactions * 0.0045) : 0,
    mix: isTpcc(plan.workload) ? tpccMix(transactions) : {},
    latency: latencyOf(transactions, plan.connections),
    interrupted: false,
  };
}

const known = new Map<string, Latency | null>();

function latencyOf(transactions: number, connections: number): Latency | null {
  const key = `${transactions} ${connections}`;
  const found = known.get(key) ?? summarizeHistogram(latenciesOf([transactions], connections));
  known.set(key, found);
  return found && { ...found };
}

/** Latencies of seconds with so many transactions each. */
function latenciesOf(seconds: readonly number[], connections: number): Histogram {
  const histogram = createHistogram();
  // A right-skewed spread around the mean that a closed loop of so many connections implies.
  const spread = [0.62, 0.74, 0.82, 0.89, 0.95, 1.0, 1.06, 1.14, 1.27, 1.6];
  for (const transactions of seconds) {
    const meanUs = (connections * 1e6) / Math.max(1, transactions);
    const counts = new Map<number, number>();
    for (let done = 0; done < transactions; done++) {
      const base = spread[done % spread.length] ?? 1;
      const tail = done % 97 === 96 ? 2.4 : 1;
      const us = Math.max(1, Math.round(meanUs * base * tail));
      counts.set(us, (counts.get(us) ?? 0) + 1);
    }
    for (const [us, count] of counts) histogram.recordValueWithCount(us, count);
  }
  return histogram;
}

/** Decoded histograms have the least and greatest values of their buckets. */
function mergedLatencies(seconds: readonly number[], connections: number): Histogram {
  const merged = latenciesOf(seconds, connections);
  merged.establishInternalTackingValues(merged.countsArrayLength);
  return merged;
}

/** The five types in the shares of the specification. */
function tpccMix(transactions: number): Record<string, number> {
  const share = (of: number): number => Math.round(transactions * of);
  const [payment, small] = [share(0.43), share(0.04)];
  return {
    new_order: transactions - payment - 3 * small,
    payment,
    order_status: small,
    delivery: small,
    stock_level: small,
  };
}

export function makeTotals(windows: Window[], connections: number, client: Partial<ClientHealth>): Totals {
  const measured = windows.filter(({ phase }) => phase === 'measure');
  const sum = (pick: (window: Window) => number): number => measured.reduce((all, one) => all + pick(one), 0);
  const merged = mergedLatencies(
    measured.map(({ transactions }) => transactions),
    connections,
  );
  const counted = (of: 'errors' | 'mix'): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const [name, count] of measured.flatMap((one) => Object.entries(one[of])))
      all[name] = (all[name] ?? 0) + count;
    return all;
  };
  return {
    durationMs: sum((one) => one.durationMs),
    uncounted: 0,
    excludedMs: 0,
    connections,
    transactions: sum((one) => one.transactions),
    reads: sum((one) => one.reads),
    writes: sum((one) => one.writes),
    other: sum((one) => one.other),
    errors: counted('errors'),
    rollbacks: sum((one) => one.rollbacks),
    mix: counted('mix'),
    latency: summarizeHistogram(merged),
    histogram: encodeHistogram(merged),
    statements: {},
    transactionTypes: {},
    client: {
      cpuSeconds: 2.1,
      cpuShare: 0.42,
      loopDelayP99Us: 1900,
      workers: 2,
      gcSeconds: 0.01,
      gcMaxUs: 900,
      ...client,
    },
  };
}

import { encodeHistogram, mergeHistograms, summarizeHistogram } from '../../shared/histogram/histogram.ts';
import type { ClientHealth, Totals } from '../../shared/model/measurements.ts';

export function addTotals(sum: Totals | undefined, more: Totals): Totals {
  if (sum === undefined) return more;
  const histogram = mergeHistograms([sum.histogram, more.histogram]);
  return {
    durationMs: sum.durationMs + more.durationMs,
    excludedMs: sum.excludedMs + more.excludedMs,
    connections: more.connections,
    uncounted: sum.uncounted + more.uncounted,
    transactions: sum.transactions + more.transactions,
    reads: sum.reads + more.reads,
    writes: sum.writes + more.writes,
    other: sum.other + more.other,
    errors: added(sum.errors, more.errors),
    rollbacks: sum.rollbacks + more.rollbacks,
    mix: added(sum.mix, more.mix),
    latency: summarizeHistogram(histogram),
    histogram: encodeHistogram(histogram),
    statements: merged(sum.statements, more.statements),
    transactionTypes: merged(sum.transactionTypes, more.transactionTypes),
    client: healthOf(sum, more),
  };
}

function healthOf(sum: Totals, more: Totals): ClientHealth {
  const [before, last] = [sum.client, more.client];
  const durationMs = sum.durationMs + more.durationMs;
  const mean = (one: number, other: number): number =>
    durationMs === 0 ? 0 : (one * sum.durationMs + other * more.durationMs) / durationMs;
  const { waitShare, ...others } = last;
  return {
    ...others,
    cpuSeconds: before.cpuSeconds + last.cpuSeconds,
    cpuShare: mean(before.cpuShare, last.cpuShare),
    ...(before.waitShare === undefined || waitShare === undefined
      ? {}
      : { waitShare: mean(before.waitShare, waitShare) }),
    loopDelayP99Us: Math.max(before.loopDelayP99Us, last.loopDelayP99Us),
    gcSeconds: before.gcSeconds + last.gcSeconds,
    gcMaxUs: Math.max(before.gcMaxUs, last.gcMaxUs),
  };
}

function added(sum: Record<string, number>, more: Record<string, number>): Record<string, number> {
  const all = { ...sum };
  for (const [name, count] of Object.entries(more)) all[name] = (all[name] ?? 0) + count;
  return all;
}

function merged<K extends string>(
  sum: Partial<Record<K, string>>,
  more: Partial<Record<K, string>>,
): Partial<Record<K, string>> {
  const all = { ...sum };
  for (const kind of Object.keys(more) as K[]) {
    const [before, last] = [sum[kind], more[kind]];
    if (last === undefined) continue;
    all[kind] = before === undefined ? last : encodeHistogram(mergeHistograms([before, last]));
  }
  return all;
}

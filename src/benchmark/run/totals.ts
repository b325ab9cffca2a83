import { type Message, msg } from '../../shared/message.ts';
import { encodeHistogram, mergeHistograms, summarizeHistogram } from '../../shared/histogram/histogram.ts';
import { addCounts, emptyCounts } from '../load/builtin/counts.ts';
import { mergeTimes } from '../load/builtin/statement-times.ts';
import type { SliceTiming } from '../load/load-client.ts';
import type { ClientHealth, Totals } from '../../shared/model/measurements.ts';

export function addTotals(sum: Totals | undefined, more: Totals): Totals {
  if (sum === undefined) return more;
  const histogram = mergeHistograms([sum.histogram, more.histogram]);
  const counts = emptyCounts();
  for (const one of [sum, more]) addCounts(counts, one);
  return {
    durationMs: sum.durationMs + more.durationMs,
    excludedMs: sum.excludedMs + more.excludedMs,
    connections: more.connections,
    uncounted: sum.uncounted + more.uncounted,
    ...counts,
    latency: summarizeHistogram(histogram),
    histogram: encodeHistogram(histogram),
    ...mergeTimes([sum, more]),
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

const FEWEST_TRANSACTIONS = 8;
const LONGEST_SLICE_MS = 10_000;
/** Transactions of each connection. */
const ENOUGH_TRANSACTIONS = 4;

/** Undefined if it counts, as the longest slices do with few transactions. */
export function unmeasured(
  totals: Totals,
  { durationMs }: SliceTiming,
  isSlice: boolean,
): Message | undefined {
  const seconds = durationMs / 1000;
  if (totals.transactions === 0) return msg('load.noTransaction', { seconds });
  if (!isSlice) return undefined;
  if (totals.isCut === true) return msg('load.unfinished', { seconds });
  if (totals.transactions < FEWEST_TRANSACTIONS && durationMs < LONGEST_SLICE_MS)
    return msg('load.fewTransactions', { seconds, count: totals.transactions });
  return totals.durationMs < durationMs / 2 ? msg('load.stalled', { seconds }) : undefined;
}

/** A slow scenario gets longer slices; 0 is a trial in one piece. */
export function lengthened(sliceMs: number, { transactions, connections }: Totals): number {
  const each = transactions / connections;
  const enough = Math.max(ENOUGH_TRANSACTIONS, FEWEST_TRANSACTIONS / connections);
  if (sliceMs === 0 || each >= enough) return sliceMs;
  return Math.min(LONGEST_SLICE_MS, (sliceMs * enough) / Math.max(1, each));
}

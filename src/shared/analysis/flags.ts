import type { Durability, DurabilityReason } from './analysis.ts';
import type { TrialState } from '../model/run-state.ts';

/** Share of a core per worker. */
const CLIENT_CPU_LIMIT = 0.85;
/** Share of time waiting for a core, and thus of each latency. */
const WAIT_LIMIT = 0.1;
/** Event-loop delay; only counts above the median latency. */
const LOOP_DELAY_LIMIT_US = 20_000;
/** Share of each worker's time. */
const GARBAGE_LIMIT = 0.05;

/** Shares are of a core per worker. */
export type FoundFlag =
  | { flag: 'not-durable'; reason: DurabilityReason }
  | { flag: 'client-limited'; trialId: string; cpuShare: number }
  | { flag: 'client-limited'; trialId: string; waitShare: number }
  | { flag: 'client-limited'; trialId: string; garbageShare: number }
  | { flag: 'client-limited'; trialId: string; loopDelayUs: number; medianUs: number };

export function findFlags(measured: readonly TrialState[], durability: Durability | null): FoundFlag[] {
  if (measured.length === 0) return [];
  const client = clientLimited(measured);
  return [
    ...(durability?.verdict === 'cache' ? [{ flag: 'not-durable' as const, reason: durability.reason }] : []),
    ...(client === undefined ? [] : [client]),
  ];
}

function clientLimited(trials: readonly TrialState[]): FoundFlag | undefined {
  const busiest = [...trials].sort(
    (a, b) => (b.totals?.client.cpuShare ?? 0) - (a.totals?.client.cpuShare ?? 0),
  )[0];
  const cpuShare = busiest?.totals?.client.cpuShare ?? 0;
  if (busiest !== undefined && cpuShare > CLIENT_CPU_LIMIT) {
    return { flag: 'client-limited', trialId: busiest.id, cpuShare };
  }
  for (const { id, totals } of trials) {
    if (totals === null) continue;
    const { loopDelayP99Us: loopDelayUs, gcSeconds, workers, waitShare = 0 } = totals.client;
    if (waitShare > WAIT_LIMIT) return { flag: 'client-limited', trialId: id, waitShare };
    const medianUs = totals.latency?.p50Us ?? 0;
    const garbageShare = (1000 * gcSeconds) / (totals.durationMs * workers);
    if (garbageShare > GARBAGE_LIMIT) return { flag: 'client-limited', trialId: id, garbageShare };
    if (loopDelayUs > LOOP_DELAY_LIMIT_US && loopDelayUs > medianUs) {
      return { flag: 'client-limited', trialId: id, loopDelayUs, medianUs };
    }
  }
  return undefined;
}

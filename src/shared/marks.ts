import type { TrialOutline } from './model/run-state.ts';

/** A worker that uses more of a core than this has no reserve left: the client may be what is measured. */
const CLIENT_CPU_LIMIT = 0.85;
/** Event-loop delay that is never ordinary, µs; it counts when it also exceeds the median latency. */
const LOOP_DELAY_LIMIT_US = 20_000;
/**
 * No medium confirms a flush in less, µs: drives with a protected cache need 20 to 30 µs and the system call comes on top
 * (measured on `tmpfs`, which flushes nothing: 3 to 4 µs).
 */
const FLUSH_LIMIT_US = 15;

/** A mark with what it rests on; times in µs, `cpuShare` of a core for each worker. */
export type FoundMark =
  | { mark: 'flush-in-cache'; flushUs: number }
  | { mark: 'client-bound'; trialId: string; cpuShare: number }
  | { mark: 'client-bound'; trialId: string; loopDelayUs: number; medianUs: number };

/** The marks of a scenario: from its measured trials, and the time of a flush where its datadir is; null: not known. */
export function findMarks(measured: readonly TrialOutline[], flushUs: number | null): FoundMark[] {
  if (measured.length === 0) return [];
  const client = clientBound(measured);
  return [
    ...(flushUs !== null && flushUs < FLUSH_LIMIT_US ? [{ mark: 'flush-in-cache' as const, flushUs }] : []),
    ...(client === undefined ? [] : [client]),
  ];
}

/** The trial in which the client was shortest of breath, if it was at all. */
function clientBound(trials: readonly TrialOutline[]): FoundMark | undefined {
  const busiest = [...trials].sort(
    (a, b) => (b.totals?.client.cpuShare ?? 0) - (a.totals?.client.cpuShare ?? 0),
  )[0];
  const cpuShare = busiest?.totals?.client.cpuShare ?? 0;
  if (busiest !== undefined && cpuShare > CLIENT_CPU_LIMIT) {
    return { mark: 'client-bound', trialId: busiest.id, cpuShare };
  }
  for (const { id, totals } of trials) {
    if (totals === null) continue;
    const loopDelayUs = totals.client.loopDelayP99Us;
    const medianUs = totals.latency?.p50Us ?? 0;
    if (loopDelayUs > LOOP_DELAY_LIMIT_US && loopDelayUs > medianUs) {
      return { mark: 'client-bound', trialId: id, loopDelayUs, medianUs };
    }
  }
  return undefined;
}

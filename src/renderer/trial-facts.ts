import { qps, tps } from '../shared/model/measurements.ts';
import { currentTrial } from '../shared/model/run-state.ts';
import type { RunView, TrialView } from '../shared/model/run-view.ts';

/**
 * The figures of a trial: all of a measured one, the last second of a running one (percentiles can't be merged). Null:
 * unknown, or not known yet. `errors` are the ignored ones of all measured seconds, by code.
 */
export function trialFacts({ windows, totals, evidence }: TrialView) {
  const counted = totals ?? windows.last;
  const rate = (count: number | undefined): number | null =>
    counted === null || count === undefined || counted.durationMs <= 0
      ? null
      : (count * 1000) / counted.durationMs;
  const latency = counted?.latency ?? null;
  const used = evidence?.container ?? null;
  const last = totals === null ? windows.last?.container : undefined;
  // The container's counters cover the warm-up, too.
  const seconds = windows.elapsedMs / 1000;
  const mean = (sum: number | null | undefined): number | null =>
    sum === null || sum === undefined || seconds <= 0 ? null : sum / seconds;
  return {
    of: totals === null ? 'second' : 'trial',
    tps: counted === null ? null : tps(counted),
    qps: counted === null ? null : qps(counted),
    reads: rate(counted?.reads),
    writes: rate(counted?.writes),
    other: rate(counted?.other),
    p50Us: latency?.p50Us ?? null,
    p95Us: latency?.p95Us ?? null,
    p99Us: latency?.p99Us ?? null,
    errors: totals?.errors ?? windows.errors,
    cores: last?.cores ?? mean(used?.cpuSeconds),
    blockRead: last?.blockReadPerSecond ?? mean(used?.blockReadBytes),
    blockWrite: last?.blockWritePerSecond ?? mean(used?.blockWriteBytes),
    received: mean(used?.networkReceivedBytes),
    sent: mean(used?.networkSentBytes),
  };
}

export interface LiveFigures {
  tps: number;
  /** Null if no transaction finished. */
  p95Us: number | null;
  scenarioId: string;
  /** Of the last second of the trial that runs, or of the whole trial that ran last. */
  of: 'warmup' | 'measure' | 'last';
}

/** Undefined until there is a figure. */
export function liveFigures({ trials }: Pick<RunView, 'trials'>): LiveFigures | undefined {
  const running = currentTrial(trials);
  const window = running?.windows.last ?? null;
  if (running !== undefined && window !== null) {
    const { scenarioId } = running;
    return { tps: tps(window), p95Us: window.latency?.p95Us ?? null, scenarioId, of: window.phase };
  }
  const ended = trials.flatMap(({ scenarioId, finishedAt, totals }) =>
    finishedAt === null || totals === null ? [] : [{ scenarioId, finishedAt, totals }],
  );
  const last = ended.sort((a, b) => a.finishedAt - b.finishedAt).at(-1);
  if (last === undefined) return undefined;
  const { scenarioId, totals } = last;
  return { tps: tps(totals), p95Us: totals.latency?.p95Us ?? null, scenarioId, of: 'last' };
}

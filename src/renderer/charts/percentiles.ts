import { mergeHistograms } from '../../shared/histogram/histogram.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';

/**
 * Latencies of a scenario by percentile. `x` is log10(1/(1 − q)) of the share q of transactions that were answered by
 * then: 0 is the fastest, 1 the 90th percentile, 2 the 99th, 3 the 99.9th. On such an axis the slowest transactions,
 * which users notice, have as much room as all others (as HdrHistogram's own plots: Gil Tene, http://hdrhistogram.org).
 */
export interface LatencyCurve {
  scenarioId: string;
  name: string;
  /** Measured transactions. */
  count: number;
  points: { x: number; us: number }[];
  /** By the percentiles of `TABLE_PERCENTILES`; null where too few were measured to tell. */
  table: (number | null)[];
}

/** Where the axis ends: the 99.99th percentile. */
export const HIGHEST_X = 4;
/** Points for each factor of ten. */
const POINTS = 10;
/** What a table gives. */
export const TABLE_PERCENTILES = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99] as const;

/** Place of a percentile (0 ≤ p < 100) on the axis. */
export function percentileX(percentile: number): number {
  return Math.log10(100 / (100 - percentile));
}

/** The percentile at a place of the axis. */
export function percentileAt(x: number): number {
  return 100 * (1 - 10 ** -x);
}

/**
 * One curve for each scenario that was measured, from the merged histograms of all its trials. A curve ends where not
 * one transaction lies beyond: what it would show from there on is its maximum, whatever the percentile.
 */
export function latencyCurves(run: RunOutline): LatencyCurve[] {
  return run.plan.scenarios.flatMap(({ id, name }): LatencyCurve[] => {
    const histogram = mergeHistograms(
      run.trials.flatMap(({ scenarioId, status, totals }) =>
        scenarioId === id && status === 'measured' && totals !== null ? [totals.histogram] : [],
      ),
    );
    const count = histogram.totalCount;
    if (count === 0) return [];
    const isTold = (x: number): boolean => count * 10 ** -x > 1 - 1e-9;
    const usAt = (percentile: number): number =>
      percentile === 0 ? histogram.minNonZeroValue : histogram.getValueAtPercentile(percentile);
    const places = Array.from({ length: HIGHEST_X * POINTS + 1 }, (_, index) => index / POINTS);
    return [
      {
        scenarioId: id,
        name,
        count,
        points: places.filter(isTold).map((x) => ({ x, us: usAt(percentileAt(x)) })),
        table: TABLE_PERCENTILES.map((one) => (isTold(percentileX(one)) ? usAt(one) : null)),
      },
    ];
  });
}

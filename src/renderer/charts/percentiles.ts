import { mergeHistograms } from '../../shared/histogram/histogram.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';

/**
 * Latency by percentile. `x` is log10(1/(1 − q)) of the share q: 0 the fastest, 1 the 90th percentile, 2 the 99th, 3
 * the 99.9th, so the slow ones have room (as in HdrHistogram's plots: Gil Tene, http://hdrhistogram.org).
 */
export interface LatencyCurve {
  scenarioId: string;
  name: string;
  count: number;
  points: { x: number; us: number }[];
  table: (number | null)[];
}

export const HIGHEST_X = 4;
const POINTS = 10;
export const TABLE_PERCENTILES = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99] as const;

export function percentileX(percentile: number): number {
  return Math.log10(100 / (100 - percentile));
}

export function percentileAt(x: number): number {
  return 100 * (1 - 10 ** -x);
}

/** From the merged histograms of all trials. Ends where no transaction lies beyond, since the rest is the maximum. */
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

import { describe, expect, it } from 'vitest';
import {
  latencyCurves,
  percentileAt,
  percentileX,
  TABLE_PERCENTILES,
} from '../../../../src/renderer/charts/percentiles.ts';
import {
  createHistogram,
  encodeHistogram,
  mergeHistograms,
  recordLatency,
} from '../../../../src/shared/histogram/histogram.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState } from '../../builders.ts';

const SHAPE = {
  scenarios: [
    { storage: 'named-volume' as const, path: 'published-port' as const },
    { storage: 'bind-mount' as const, path: 'published-port' as const },
  ],
  aaCheck: false,
  rounds: 2,
};

/** The same run, each trial with these latencies, µs. */
function withLatencies(state: RunState, us: number[]): RunState {
  const histogram = createHistogram();
  for (const one of us) recordLatency(histogram, one);
  return {
    ...state,
    trials: state.trials.map((trial) => ({
      ...trial,
      totals: trial.totals === null ? null : { ...trial.totals, histogram: encodeHistogram(histogram) },
    })),
  };
}

describe('latencies by percentile', () => {
  it('come from the merged histograms of all trials', () => {
    const state = makeState(SHAPE);
    const [curve] = latencyCurves(state);
    const own = state.trials.filter(({ scenarioId }) => scenarioId === curve?.scenarioId);
    const merged = mergeHistograms(own.flatMap(({ totals }) => totals?.histogram ?? []));
    expect(own.length).toBe(2);
    expect(curve?.count).toBe(merged.totalCount);
    expect(curve?.table[TABLE_PERCENTILES.indexOf(95)]).toBe(merged.getValueAtPercentile(95));
    expect(curve?.points[20]).toEqual({ x: 2, us: merged.getValueAtPercentile(99) });
  });

  it('begin at the fastest, never fall, and end where not one transaction lies beyond', () => {
    const many = Array.from({ length: 500 }, (_, index) => 1000 + index);
    const [curve] = latencyCurves(withLatencies(makeState(SHAPE), many));
    expect(curve?.count).toBe(1000);
    expect(curve?.points[0]).toEqual({ x: 0, us: 1000 });
    const values = curve?.points.map(({ us }) => us) ?? [];
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(curve?.points.at(-1)?.x).toBe(3);
    expect(curve?.table[TABLE_PERCENTILES.indexOf(99.9)]).not.toBeNull();
    expect(curve?.table[TABLE_PERCENTILES.indexOf(99.95)]).toBeNull();
  });

  it('leave out what was not measured, and trials that failed', () => {
    const state = makeState({
      ...SHAPE,
      outcomes: { 'bind-mount.published-port': ['STORAGE_FULL', 'canceled'] },
    });
    expect(latencyCurves(state).map(({ scenarioId }) => scenarioId)).toEqual(['named-volume.published-port']);
  });

  it('have an axis on which each further nine takes the same room', () => {
    expect([0, 90, 99, 99.9].map((one) => Math.round(percentileX(one) * 1000) / 1000)).toEqual([0, 1, 2, 3]);
    for (const one of TABLE_PERCENTILES) expect(percentileAt(percentileX(one))).toBeCloseTo(one, 9);
  });
});

import type { LoadSpec, LoadTarget } from '../../../../src/benchmark/load/load-client.ts';
import type { Totals, Window } from '../../../../src/shared/model/measurements.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';

/** No server is there. */
export const TARGET: LoadTarget = { host: '127.0.0.1', port: 9, user: 'u', password: 'p', database: 'd' };

export function buildSpec(fields: Partial<LoadSpec> = {}): LoadSpec {
  return {
    loadGenerator: 'builtin',
    target: TARGET,
    workload: workloadSchema.parse({}),
    connections: 1,
    warmupMs: 0,
    durationMs: 1000,
    seed: 0,
    ...fields,
  };
}

const counts = {
  ...{ transactions: 0, reads: 0, writes: 0, other: 0, rollbacks: 0 },
  ...{ errors: {}, mix: {}, latency: null },
};

export function buildWindow(): Window {
  return { phase: 'measure', index: 0, startMs: 0, durationMs: 1000, ...counts, interrupted: false };
}

export function buildTotals(): Totals {
  return {
    ...{ durationMs: 1000, excludedMs: 0, connections: 1, uncounted: 0, histogram: '' },
    ...counts,
    ...{ statements: {}, transactionTypes: {} },
    client: { cpuSeconds: 0.5, cpuShare: 0.5, loopDelayP99Us: 100, workers: 1, gcSeconds: 0, gcMaxUs: 0 },
  };
}

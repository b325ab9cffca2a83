import type { Totals, Window } from '../../../../src/shared/model/measurements.ts';

const counts = {
  transactions: 0,
  reads: 0,
  writes: 0,
  other: 0,
  errors: {},
  rollbacks: 0,
  mix: {},
  latency: null,
};

export function buildWindow(): Window {
  return {
    phase: 'measure',
    index: 0,
    startMs: 0,
    durationMs: 1000,
    ...counts,
    interrupted: false,
  };
}

export function buildTotals(): Totals {
  const client = {
    cpuSeconds: 0.5,
    cpuShare: 0.5,
    loopDelayP99Us: 100,
    workers: 1,
    gcSeconds: 0,
    gcMaxUs: 0,
  };
  return {
    durationMs: 1000,
    excludedMs: 0,
    connections: 1,
    ...counts,
    histogram: '',
    uncounted: 0,
    statements: {},
    transactionTypes: {},
    client,
  };
}

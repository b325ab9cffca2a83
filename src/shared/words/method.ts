import type { FigureColumn } from './why-wording.ts';

/**
 * Where docs/method.md says how a figure is made: the anchor of a heading there. Whatever the app shows of a
 * measurement links to one of these.
 */
export const METHOD_ANCHORS = {
  headline: 'headline',
  noise: 'noise-check',
  ratio: 'ratio',
  interval: 'interval',
  verdict: 'verdict',
  published: 'published-numbers',
  tps: 'tps',
  qps: 'qps',
  latency: 'latency',
  errors: 'errors',
  trials: 'trials',
  tpcc: 'tpc-c-like',
  percentiles: 'distribution-of-latencies',
  charts: 'charts',
  hostWatch: 'what-else-went-on',
  ramp: 'thread-ramp',
  fixedRate: 'fixed-rate',
  why: 'what-moved-with-it',
  roundTrip: 'round-trip',
  commitP95: 'commit-p95',
  flush: 'flush',
  serverWrites: 'server-writes',
  deviceWrites: 'device-writes',
  fsyncs: 'fsyncs',
  hitRatio: 'pool-hits',
  lockWaits: 'lock-waits',
  cpu: 'server-cpu',
  estimate: 'estimate',
  rounds: 'rounds-and-pairs',
  untilSettled: 'until-it-is-settled',
  dataset: 'dataset',
  imported: 'imported-results',
  clientBound: 'client-bound',
  betweenRuns: 'between-runs',
} as const satisfies Record<FigureColumn, string> & Record<string, string>;

/** A figure whose making is described. */
export type Figure = keyof typeof METHOD_ANCHORS;

import type { Notice, ScenarioLabel } from './plan.ts';
import type { Latency } from '../histogram/histogram.ts';
import type { StatementKind } from './measurements.ts';
import type { DriverKind, Verdict } from './names.ts';

/** A ratio of speeds (see measurements.ts) to the baseline with its interval; 0.5 means half the baseline's TPS. */
export interface RatioEstimate {
  value: number;
  /** Bounds of the interval; null with fewer than two paired rounds. */
  low: number | null;
  high: number | null;
  /** Standard error of the mean log ratio; null without bounds. */
  standardError: number | null;
  /** 0.95 for a 95 % interval. */
  confidence: number;
  /** Rounds in which both the scenario and the baseline were measured. */
  pairedRounds: number;
}

/** Times of a kind of statement, and how many of them a transaction holds. */
export interface StatementFigures extends Latency {
  each: number;
}

/** What is known of a scenario beside its throughput; per transaction unless it says otherwise; null: not known. */
export interface TrialFigures {
  /** Empty where the driver does not know single statements. */
  statements: Partial<Record<StatementKind, StatementFigures>>;
  /** Medians of the path before any load, µs: `SELECT 1` on an open connection; TCP connection and login. */
  roundTripUs: number | null;
  connectUs: number | null;
  /** A write of 4 KiB until the storage of the datadir says that it is safe, µs. */
  flushUs: number | null;
  /** Bytes that InnoDB wrote (pages, doublewrite, log), the log's part of them, and what reached block devices. */
  serverBytesWritten: number | null;
  logBytesWritten: number | null;
  containerBytesWritten: number | null;
  containerBytesRead: number | null;
  fsyncs: number | null;
  /** Pages that had to be read from storage, and the share of requests that needed none. */
  pageReads: number | null;
  hitRatio: number | null;
  rowLockWaits: number | null;
  /** Temporary tables on disk. */
  diskTables: number | null;
  /** CPU of the server's container, ms; time that it was throttled as a share of that. */
  cpuMs: number | null;
  throttledShare: number | null;
  memoryBytes: number | null;
}

/**
 * What a difference is mostly made of; `share` of it, 0…1. What goes from one figure to another goes from the
 * baseline's.
 */
export type Why = WhyCause & {
  /** Which of the two took longer. */
  slower: 'scenario' | 'baseline';
};

export type WhyCause =
  /** The slower one's container waited for its CPU quota; `share` of the CPU time that it used. */
  | { cause: 'throttled'; share: number }
  /** The path's round trip, measured before any load, times the statements of a transaction. */
  | { cause: 'round-trip'; share: number; statements: number; fromUs: number; toUs: number }
  /** With the slower one every kind of statement takes at least so much longer, whatever it does. */
  | { cause: 'every-statement'; share: number; leastUs: number }
  /** One kind of statement makes most of it (`kind`), or only the largest part (`mixed`); 95th percentiles. */
  | {
      cause: 'kind' | 'mixed';
      kind: StatementKind;
      share: number;
      fromUs: number;
      toUs: number;
      /** The slower one's pages come from storage. */
      readsStorage: boolean;
      /** What a flush takes on either mount, where the kind is one that waits for it. */
      flush: { fromUs: number; toUs: number } | null;
    };

/**
 * What a scenario's speed rests on beside its storage and path: its flushes end in a cache or in memory, so that
 * commits are fast and may be lost; the load client had no reserve left, so that the server might have done more.
 */
export const MARKS = ['flush-in-cache', 'client-bound'] as const;
export type Mark = (typeof MARKS)[number];

/** A published number beside a measured one. */
export interface ReferenceFigure {
  label: string;
  tps: number;
  /** To the published number of the same baseline; where that was not published, to the experiment's own baseline. */
  ratio: number;
}

export interface ScenarioAnalysis {
  id: string;
  name: string;
  label: ScenarioLabel;
  isBaseline: boolean;
  isNoiseFloor: boolean;
  driver: DriverKind;
  /** How many were to work at the same time; in a ramp its level. */
  connections: number;
  /** The scenario that it is compared with. */
  baselineId: string;
  /** What was published for it; null when nothing was. */
  reference: ReferenceFigure | null;
  /** Trials that were measured, and trials that failed or never ran. */
  measured: number;
  failed: number;
  /** Mean over all measured windows: transactions and statements per second; null when nothing was measured. */
  tps: number | null;
  qps: number | null;
  /** From the merged histogram of all measured trials. */
  latency: Latency | null;
  transactions: number;
  /** Ignored errors by server code. */
  errors: Record<string, number>;
  /** Null for lack of a paired round. The baseline's own is exactly 1. */
  ratio: RatioEstimate | null;
  /** What may be said of it beside all other comparisons of the run. */
  verdict: Verdict;
  /** What its interval would say if it were the only comparison. */
  verdictAlone: Verdict;
  /** In the order of `MARKS`; whatever the verdict is. */
  marks: Mark[];
  figures: TrialFigures;
  /** What a settled difference is made of; null without one, or when too little is known. */
  why: Why | null;
  /** One value per measured round. */
  rounds: { round: number; tps: number; ratio: number | null }[];
}

/** What the headline says; the words are made from it in the reader's language. */
export type Headline =
  | { kind: 'nothing-measured' }
  | { kind: 'no-baseline' }
  | { kind: 'difference'; scenarioId: string; verdict: 'slower' | 'faster'; ratio: RatioEstimate }
  | { kind: 'all-same' }
  | { kind: 'unsettled' };

/**
 * How the baseline compares with itself: `tied` when the interval holds 1 and lies within the zone of equivalence,
 * `tiedWidely` when it holds 1 but is wider, which shows little, `untied` when it does not hold 1.
 */
export type NoiseOutcome = 'tied' | 'tiedWidely' | 'untied';

/** A scenario at one level of a ramp; what is null was not measured. */
export interface RampLevel {
  scenarioId: string;
  connections: number;
  tps: number | null;
  /** The lowest and the highest of its rounds; null with fewer than two. */
  lowTps: number | null;
  highTps: number | null;
  p50Us: number | null;
  p95Us: number | null;
  p99Us: number | null;
}

/** The level from which more connections buy less throughput than they cost latency. */
export interface Knee {
  connections: number;
  /** Rounds that name this level, of all rounds in which every measured level was measured. */
  agreeing: number;
  rounds: number;
  /** Where it is an end of the ramp the real one may lie beyond; null: it lies between measured levels. */
  end: 'lowest' | 'highest' | null;
}

/** A scenario over all levels of a ramp. */
export interface Ramp {
  /** The scenario's ID and label without the level. */
  id: string;
  label: ScenarioLabel;
  isBaseline: boolean;
  /** By rising connections. */
  levels: RampLevel[];
  /** Null with fewer than three measured levels, or without a round that has them all. */
  knee: Knee | null;
}

/** What a run comes to. */
export interface Analysis {
  baselineId: string;
  /** Half-width of "no difference that matters": 0.05 = ±5 %. */
  equivalence: number;
  confidence: number;
  /** Comparisons that share the probability of a false verdict. */
  comparisons: number;
  /** At a fixed rate, transactions per second, ratios are of mean latencies; null: of throughput. */
  rate: number | null;
  /** How often the run looked whether it is settled; 1 for a run with a fixed number of rounds. */
  looks: number;
  headline: Headline;
  scenarios: ScenarioAnalysis[];
  /** The baseline against itself; null without an A/A pair, or as long as it has no interval (two paired rounds). */
  noiseFloor: { ratio: RatioEstimate; outcome: NoiseOutcome } | null;
  /** Every scenario over all numbers of connections; empty in a run without a ramp. */
  ramps: Ramp[];
  notices: Notice[];
}

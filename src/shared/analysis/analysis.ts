import type { ErrorData } from '../errors.ts';
import type { Notice, ScenarioLabel } from '../model/plan.ts';
import type { Latency } from '../histogram/histogram.ts';
import type { DependsOn, Factor } from '../model/factors.ts';
import type { LoadGenerator, Placement, Verdict } from '../model/names.ts';
import type { FlushTimes } from '../model/events.ts';
import type { RunHeadline, Took } from '../model/history-entry.ts';
import type { AdviceCode } from './advice.ts';
import type { PathKind } from '../kinds/paths.ts';
import type { TpccFigures } from './tpcc-figures.ts';
import type { TrialFigures } from './trial-figures.ts';
import type { FirstStart } from './first-start.ts';
import type { TimePart, Waterfall } from './waterfall.ts';
import type { PlanReference, PublishedMeasure } from '../model/reference.ts';
import type { TaskKind } from '../model/task.ts';
import type { Loss } from '../options/losses.ts';
import type { RatioEstimate } from '../statistics/estimate.ts';

/** Places where flushes end, by the evidence for it; see docs/explanation/method.md, Flush. */
export const DURABILITY_REASONS = {
  'flush-commands': 'disk',
  'no-cache': 'disk',
  'full-flush': 'disk',
  memory: 'cache',
  'too-fast': 'cache',
  'not-sent': 'cache',
  'faster-than-host': 'cache',
  'not-waited': 'cache',
  contradictory: 'unknown',
  'virtual-machine': 'unknown',
  'not-counted': 'unknown',
  'not-measured': 'unknown',
} as const;
export type DurabilityReason = keyof typeof DURABILITY_REASONS;
export interface Durability {
  verdict: (typeof DURABILITY_REASONS)[DurabilityReason];
  reason: DurabilityReason;
}

export interface ScenarioDurability extends Durability {
  /** Flushes that a commit waits for, times the median of one, µs; null without a median. */
  commitUs: number | null;
  /** Data that a crash may cost. */
  loses: Loss[];
}

/** `not-durable`: flushes stop in a cache or memory, so commits are fast but may be lost. */
export const FLAGS = ['not-durable', 'client-limited'] as const;
export type Flag = (typeof FLAGS)[number];

export interface ReferenceFigure {
  label: string;
  /** The experiment's network path if it isn't the scenario's, or else null. */
  otherPath: PathKind | null;
  tps: number;
  /** Speed relative to the same baseline if that is published, otherwise to the experiment's. */
  ratio: number;
  /** Figures relative to the same baseline; `measured` is null without a measurement. */
  figures: ComparedFigure[];
}

/** A published figure and the same of this run. Ratios of latencies and deadlocks: twice as much is 2. */
export interface ComparedFigure {
  measure: PublishedMeasure;
  published: { value: number; ratio: number };
  measured: { value: number; ratio: number | null } | null;
}

/** A published claim, with this run's verdict on it. */
export interface PublishedClaim extends Pick<PlanReference['claims'][number], 'says' | 'low' | 'high'> {
  /** Null if not measured. */
  ratio: RatioEstimate | null;
  verdict: 'confirmed' | 'contradicted' | 'inconclusive';
  /** About how much longer the run would take to decide it; null: very long, or nothing is left to decide. */
  minutes: number | null;
}

export type SteadinessVerdict = 'less-steady' | 'steadier' | 'same' | 'inconclusive';

export interface ScenarioSteadiness {
  /** Standard deviation ÷ mean of the per-second samples of a trial; geometric mean over trials. */
  variation: number;
  /** Share of all seconds with less than a tenth of their trial's median throughput. */
  stalledShare: number;
  /** Variation relative to the baseline's: 2 means twice as much. */
  ratio: RatioEstimate | null;
  verdict: SteadinessVerdict;
}

export interface ScenarioAnalysis {
  id: string;
  label: ScenarioLabel;
  isBaseline: boolean;
  loadGenerator: LoadGenerator;
  connections: number;
  baselineId: string;
  reference: ReferenceFigure | null;
  /** Rounds with numbers; a baseline that is measured twice needs one of both. */
  measured: number;
  failed: number;
  /** Why its server never started. */
  refused: ErrorData | null;
  isTask: boolean;
  /** Means over all measured windows; null when nothing was measured. */
  tps: number | null;
  qps: number | null;
  /** Latency from the merged histogram of all measured trials; null if nothing was measured. */
  latency: Latency | null;
  transactions: number;
  errors: Record<string, number>;
  /** Figures per minute of TPC-C; null for other loads. */
  perMinute: TpccFigures | null;
  ratio: RatioEstimate | null;
  /** Half-width of "no difference that matters" to its baseline. */
  margin: number;
  verdict: Verdict;
  /**
   * The ratio of a difference, with the interval that allows for its choice among all comparisons; null without a
   * difference.
   */
  named: RatioEstimate | null;
  /** Verdict as if this were the only comparison. */
  verdictAlone: Verdict;
  flags: Flag[];
  /** Null if not measured. */
  durability: ScenarioDurability | null;
  /** Null for trials of less than five seconds. */
  steadiness: ScenarioSteadiness | null;
  figures: TrialFigures;
  /** Parts of the mean transaction's or task's time. */
  parts: TimePart[];
  rounds: { round: number; tps: number; ratio: number | null }[];
}

export interface EffectAt {
  level: string;
  scenarioId: string;
  ratio: RatioEstimate | null;
  verdict: Verdict;
}

/** A level of a factor compared with another, averaged over all other factors. */
export interface Effect {
  factor: Factor;
  level: string;
  reference: string;
  /** Half-width of "no difference that matters". */
  margin: number;
  pairs: { scenarioId: string; referenceId: string }[];
  rounds: number[];
  ratio: RatioEstimate | null;
  verdict: Verdict;
  /**
   * The ratio of a difference, with the interval that allows for its choice among all comparisons; null without a
   * difference.
   */
  named: RatioEstimate | null;
  dependsOn: DependsOn | null;
  at: EffectAt[];
  /** Later levels of the factor, each relative to this one. */
  others: { level: string; ratio: RatioEstimate }[];
  /** Marks which of the two can lose data that the other keeps. */
  unsafe: { level: boolean; reference: boolean };
  /** Cost in transactions per second and ms per transaction, negative for a gain; null if not measured. */
  cost: { tps: number; ms: number } | null;
  /** Null unless the run is of a task. */
  took: Took | null;
}

export interface Recommendation {
  code: AdviceCode;
  factor: Factor | null;
  level: string | null;
  from: string | null;
  pair: { scenarioId: string; referenceId: string } | null;
  ratio: RatioEstimate | null;
  /** About how much longer a run would take to be conclusive, or at most in full. */
  minutes: number | null;
}

/** `passed`: the interval contains 1 and lies within the zone of equivalence; `imprecise`: it is wider. */
export type AaOutcome = 'passed' | 'imprecise' | 'failed';

export interface SweepLevel {
  scenarioId: string;
  connections: number;
  tps: number | null;
  lowTps: number | null;
  highTps: number | null;
  p50Us: number | null;
  p95Us: number | null;
  p99Us: number | null;
}

/** The level from which more connections gain less throughput than they cost in latency. */
export interface Knee {
  connections: number;
  agreeing: number;
  rounds: number;
  /** End of the sweep at which the knee was found; the real one may lie beyond it. */
  end: 'lowest' | 'highest' | null;
}

export interface Sweep {
  id: string;
  label: ScenarioLabel;
  isBaseline: boolean;
  levels: SweepLevel[];
  knee: Knee | null;
}

/** Place of the reader's app: null if unknown or irrelevant here. `isAsked`: only the reader knows it. */
export interface AppPlace {
  place: Placement | null;
  isAsked: boolean;
}

export interface Analysis {
  baselineId: string;
  /** Half-width of "no difference that matters": 0.05 = ±5%; storage types have twice as much. */
  equivalence: number;
  confidence: number;
  /** Comparisons that share the probability of a false verdict. */
  comparisons: number;
  /** The timed task; null for a load test. Its speed is tasks per second, so 2 is half the time. */
  task: TaskKind | null;
  app: AppPlace;
  headline: RunHeadline;
  effects: Effect[];
  recommendations: Recommendation[];
  /** Scenarios without A/A repeats, which count as their baseline. */
  scenarios: ScenarioAnalysis[];
  claims: PublishedClaim[];
  /** The host's own disk; null if not measured. */
  hostFlush: (Durability & FlushTimes) | null;
  /** Medians in µs, where the host's flush takes at least 100 times as long as that of the engine's virtual machine. */
  hostGap: { hostUs: number; vmUs: number } | null;
  /** Null without an A/A pair or without its interval. */
  aaCheck: { ratio: RatioEstimate; outcome: AaOutcome; pairs: number } | null;
  waterfall: Waterfall | null;
  firstStart: FirstStart | null;
  sweeps: Sweep[];
  notices: Notice[];
}

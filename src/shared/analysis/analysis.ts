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

/** Places where flushes end, by evidence; see docs/explanation/method.md, Flush. */
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
  /** A commit's flushes times the median of one; null without a median. */
  commitUs: number | null;
  loses: Loss[];
}

/** `not-durable`: flushes stop in a cache or memory, so commits may be lost. */
export const FLAGS = ['not-durable', 'client-limited'] as const;
export type Flag = (typeof FLAGS)[number];

export interface ReferenceFigure {
  label: string;
  /** The experiment's network path; null if it is the scenario's. */
  otherPath: PathKind | null;
  tps: number;
  /** Relative to the same baseline if published, otherwise to the experiment's. */
  ratio: number;
  /** `measured` is null without a measurement. */
  figures: ComparedFigure[];
}

/** Ratios of latencies and deadlocks: twice as much is 2. */
export interface ComparedFigure {
  measure: PublishedMeasure;
  published: { value: number; ratio: number };
  measured: { value: number; ratio: number | null } | null;
}

export interface PublishedClaim extends Pick<PlanReference['claims'][number], 'says' | 'low' | 'high'> {
  /** Null if not measured. */
  ratio: RatioEstimate | null;
  verdict: 'confirmed' | 'contradicted' | 'inconclusive';
  /** Estimated time to decide it; null: very long, or nothing is left to decide. */
  minutes: number | null;
}

export type SteadinessVerdict = 'less-steady' | 'steadier' | 'same' | 'inconclusive';

export interface ScenarioSteadiness {
  /** Standard deviation ÷ mean of a trial's seconds; geometric mean over trials. */
  variation: number;
  /** Seconds with less than a tenth of their trial's median throughput. */
  stalledShare: number;
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
  /** Rounds with numbers; one of both is enough for a baseline measured twice. */
  measured: number;
  failed: number;
  /** Why its server never started. */
  refused: ErrorData | null;
  isTask: boolean;
  tps: number | null;
  qps: number | null;
  latency: Latency | null;
  transactions: number;
  errors: Record<string, number>;
  /** Null for loads other than TPC-C. */
  perMinute: TpccFigures | null;
  ratio: RatioEstimate | null;
  /** Half-width of "no difference that matters". */
  margin: number;
  verdict: Verdict;
  /** Ratio of a difference, its interval adjusted for all comparisons; null without a difference. */
  named: RatioEstimate | null;
  /** Verdict as if this were the only comparison. */
  verdictAlone: Verdict;
  flags: Flag[];
  /** Null if not measured. */
  durability: ScenarioDurability | null;
  /** Null for trials of less than five seconds. */
  steadiness: ScenarioSteadiness | null;
  figures: TrialFigures;
  parts: TimePart[];
  rounds: { round: number; tps: number; ratio: number | null }[];
}

export interface EffectAt {
  level: string;
  scenarioId: string;
  ratio: RatioEstimate | null;
  verdict: Verdict;
}

export interface Effect {
  factor: Factor;
  level: string;
  reference: string;
  margin: number;
  pairs: { scenarioId: string; referenceId: string }[];
  rounds: number[];
  ratio: RatioEstimate | null;
  verdict: Verdict;
  /** The same as `ScenarioAnalysis.named`. */
  named: RatioEstimate | null;
  dependsOn: DependsOn | null;
  at: EffectAt[];
  /** Later levels of the factor, relative to this one. */
  others: { level: string; ratio: RatioEstimate }[];
  /** Sides that can lose data that the other keeps. */
  unsafe: { level: boolean; reference: boolean };
  /** Per second and per transaction, negative for a gain; null if not measured. */
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
  /** Estimated time until conclusive, or at most in full. */
  minutes: number | null;
}

/** `passed`: the interval contains 1, within the zone of equivalence; `imprecise`: it is wider. */
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

/** Further connections gain less throughput than they cost in latency. */
export interface Knee {
  connections: number;
  agreeing: number;
  rounds: number;
  /** The end of the sweep with the knee; the real one may lie beyond. */
  end: 'lowest' | 'highest' | null;
}

export interface Sweep {
  id: string;
  label: ScenarioLabel;
  isBaseline: boolean;
  levels: SweepLevel[];
  knee: Knee | null;
}

/** `place`: null if unknown or irrelevant. `isAsked`: only the reader knows it. */
export interface AppPlace {
  place: Placement | null;
  isAsked: boolean;
}

export interface Analysis {
  baselineId: string;
  /** Half-width of "no difference that matters": 0.05 = ±5%; doubled for storage. */
  equivalence: number;
  confidence: number;
  /** Comparisons that share the probability of a false verdict. */
  comparisons: number;
  /** Null for a load test. A task's speed is tasks per second, so 2 is half the time. */
  task: TaskKind | null;
  app: AppPlace;
  headline: RunHeadline;
  effects: Effect[];
  recommendations: Recommendation[];
  /** A/A repeats are part of their baseline. */
  scenarios: ScenarioAnalysis[];
  claims: PublishedClaim[];
  /** Null if not measured. */
  hostFlush: (Durability & FlushTimes) | null;
  /** Medians; null unless the host's is at least 100 times the virtual machine's. */
  hostGap: { hostUs: number; vmUs: number } | null;
  /** Null without an A/A pair or its interval. */
  aaCheck: { ratio: RatioEstimate; outcome: AaOutcome; pairs: number } | null;
  waterfall: Waterfall | null;
  firstStart: FirstStart | null;
  sweeps: Sweep[];
  notices: Notice[];
}

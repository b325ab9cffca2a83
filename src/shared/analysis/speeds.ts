import type { RatioEstimate } from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import { passesOf } from '../run/progress.ts';
import { speed, tps, type Totals } from '../model/measurements.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';
import { claimsOf } from '../statistics/claims.ts';
import {
  ENOUGH_SAMPLES,
  meanRatio,
  type MeanRatio,
  type Sample,
  verdictOf,
  withInterval,
} from '../statistics/paired-ratio.ts';
import { levelAt, type LevelOf, type Looks, ONE_LOOK } from '../statistics/spending.ts';

export const CONFIDENCE = 0.95;

/** `speed` (model/measurements.ts) by scenario and sample. */
export type Speeds = ReadonlyMap<string, ReadonlyMap<number, number>>;

const PASSES = 1e6;

/** The key of a pass of a round, or of a whole round for a trial in one piece. */
export function sampleOf(round: number, pass = 0): number {
  return round * PASSES + pass;
}

export function roundOf(sample: number): number {
  return Math.floor(sample / PASSES);
}

type Measured = Pick<TrialOutline, 'round' | 'slices'> & { totals: Totals };

export function samplesOf({ round, slices, totals }: Measured): [sample: number, speed: number][] {
  if (slices.length === 0) return [[sampleOf(round), speed(totals)]];
  return slices.map((slice) => [sampleOf(round, slice.pass), tps(slice)]);
}

export function looksOf(schedule: Plan['schedule']): Looks {
  return { planned: schedule.rounds * Math.max(1, passesOf({ schedule })), first: ENOUGH_SAMPLES };
}

/** Of the run so far, with a look after each sample. A run that its numbers haven't ended spends the rest at its end. */
export function levelOfRun({ plan, trials, status, outcome, roundsEnded }: RunOutline): LevelOf {
  // A quick look may be continued.
  const isLast =
    status === 'finished' &&
    outcome === 'completed' &&
    roundsEnded !== 'conclusive' &&
    plan.stopsAfterSeconds === null;
  const samples = trials.flatMap(({ totals, ...trial }) =>
    totals === null ? [] : samplesOf({ ...trial, totals }).map(([sample]) => sample),
  );
  return levelOfLook(plan.schedule, new Set(samples).size, isLast);
}

export function levelOfLook(schedule: Plan['schedule'], samples: number, isLast = false): LevelOf {
  return schedule.untilConclusive === undefined ? ONE_LOOK : levelAt(samples, looksOf(schedule), isLast);
}

export function sampleCount(rates: Speeds): number {
  return new Set([...rates.values()].flatMap((own) => [...own.keys()])).size;
}

export interface RateComparison {
  /** Null without a paired round; exactly 1 for the baseline. */
  ratio: RatioEstimate | null;
  verdict: Verdict;
  verdictAlone: Verdict;
  /** Of a verdict, with the interval that allows for its choice among all; else null. */
  named: RatioEstimate | null;
}

type Compared = Pick<Scenario, 'id' | 'isAaRepeat'>;

interface CompareOptions<S extends Compared> {
  confidence: number;
  equivalence: number;
  baselineOf: (scenario: S) => string;
  levelOf?: LevelOf;
}

/** Verdicts hold for all comparisons and looks together (statistics/claims.ts); those of A/A pairs stand alone. */
export function compareSpeeds<S extends Compared>(
  scenarios: readonly S[],
  rates: Speeds,
  { confidence, equivalence, baselineOf, levelOf = ONE_LOOK }: CompareOptions<S>,
): Map<string, RateComparison> {
  const alpha = 1 - confidence;
  const ratios = scenarios.map((scenario): RatioEstimate | null => {
    const baseline = baselineOf(scenario);
    if (scenario.id === baseline) return unity(rates.get(baseline), confidence);
    const logs = logRatios(rates.get(scenario.id), rates.get(baseline));
    return estimateAt(meanRatio(asSamples(logs)), levelOf(alpha), confidence);
  });
  const isCompared = (scenario: S): boolean => !scenario.isAaRepeat && scenario.id !== baselineOf(scenario);
  const together = claimsOf(
    scenarios.map((scenario, index) => (isCompared(scenario) ? (ratios[index] ?? null) : null)),
    { alpha, equivalence, levelOf },
  );
  return new Map(
    scenarios.map((scenario, index) => {
      const ratio = ratios[index] ?? null;
      const verdictAlone = verdictOf(ratio, equivalence);
      const { verdict, level } = together[index] ?? { verdict: 'inconclusive', level: null };
      return [
        scenario.id,
        {
          ratio,
          verdict: isCompared(scenario) ? verdict : verdictAlone,
          verdictAlone,
          named: level === null ? null : estimateAt(ratio, level, confidence),
        },
      ];
    }),
  );
}

/** With the interval of a test at `level`, which is named by the confidence that it keeps over all looks. */
export function estimateAt(ratio: MeanRatio | null, level: number, confidence: number): RatioEstimate | null {
  return ratio && { ...withInterval(ratio, 1 - level), confidence };
}

export function repeatsOf<S extends Compared & { baselineId: string }>(
  { id, isAaRepeat }: S,
  scenarios: readonly S[],
): S[] {
  return isAaRepeat ? [] : scenarios.filter((one) => one.isAaRepeat && one.baselineId === id);
}

/** Both measurements of a baseline count as the baseline: the geometric mean of those that a sample has. */
export function pooledSpeeds<S extends Compared & { baselineId: string }>(
  scenarios: readonly S[],
  rates: Speeds,
): Speeds {
  return new Map(
    scenarios.map((scenario) => {
      const own = [scenario, ...repeatsOf(scenario, scenarios)].flatMap(({ id }) => rates.get(id) ?? []);
      const samples = new Set(own.flatMap((one) => [...one.keys()]));
      return [
        scenario.id,
        new Map(
          [...samples].map((sample) => [sample, geometricMean(own.flatMap((one) => one.get(sample) ?? []))]),
        ),
      ];
    }),
  );
}

export function geometricMean(values: readonly number[]): number {
  const [first] = values;
  if (values.length === 1 && first !== undefined) return first;
  return Math.exp(values.reduce((sum, one) => sum + Math.log(one), 0) / values.length);
}

/** Log ratio by sample; what has an idle reference has no ratio. */
export function logRatios(
  level: ReadonlyMap<number, number> | undefined,
  reference: ReadonlyMap<number, number> | undefined,
): Map<number, number> {
  return new Map(
    [...(level ?? [])].flatMap(([sample, rate]): [number, number][] => {
      const against = reference?.get(sample) ?? 0;
      return against > 0 ? [[sample, Math.log(rate / against)]] : [];
    }),
  );
}

export function asSamples(logs: ReadonlyMap<number, number>): Sample[] {
  return [...logs].map(([sample, log]) => ({ round: roundOf(sample), log }));
}

function unity(own: ReadonlyMap<number, number> | undefined, confidence: number): RatioEstimate | null {
  if (own === undefined || own.size === 0) return null;
  const rounds = new Set([...own.keys()].map(roundOf));
  const counts = { degrees: own.size - 1, samples: own.size, pairedRounds: rounds.size };
  return { value: 1, low: 1, high: 1, standardError: 0, confidence, ...counts };
}

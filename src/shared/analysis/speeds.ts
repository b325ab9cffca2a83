import type { Verdict } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import { passesOf } from '../run/progress.ts';
import { type Amount, tps, type Totals } from '../model/measurements.ts';
import type { RunState, TrialState } from '../model/run-state.ts';
import { claimsOf } from '../statistics/claims.ts';
import {
  ENOUGH_SAMPLES,
  meanRatio,
  type MeanRatio,
  type Sample,
  verdictOf,
  withInterval,
  type RatioEstimate,
} from '../statistics/paired-ratio.ts';
import { levelAt, type LevelOf, type Looks, ONE_LOOK } from '../statistics/spending.ts';

export const CONFIDENCE = 0.95;

/** What was measured, by scenario and sample. */
export type Speeds = ReadonlyMap<string, Samples>;
export type Samples = ReadonlyMap<number, Amount>;

const PASSES = 1e6;

/** The key of a pass of a round, or of a whole round for a trial in one piece. */
export function sampleOf(round: number, pass = 0): number {
  return round * PASSES + pass;
}

export function roundOf(sample: number): number {
  return Math.floor(sample / PASSES);
}

/** 0: of a trial in one piece. */
export function passOf(sample: number): number {
  return sample % PASSES;
}

type Measured = Pick<TrialState, 'round' | 'slices'> & { totals: Totals };

/** Slices of no time are left out. */
export function samplesOf({ round, slices, totals }: Measured): [sample: number, amount: Amount][] {
  if (slices.length === 0) return [[sampleOf(round), totals]];
  return slices.flatMap((slice): [number, Amount][] =>
    slice.durationMs > 0 ? [[sampleOf(round, slice.pass), slice]] : [],
  );
}

/** Any value as a speed, per second. */
export function amountAt(perSecond: number): Amount {
  return { transactions: perSecond, durationMs: 1000 };
}

export function looksOf(schedule: Plan['schedule']): Looks {
  return { planned: schedule.rounds * Math.max(1, passesOf({ schedule })), first: ENOUGH_SAMPLES };
}

/** Of the run so far, with a look after each sample. A run that its numbers haven't ended spends the rest at its end. */
export function levelOfRun({ plan, trials, status, outcome, roundsEnded }: RunState): LevelOf {
  const isLast = status === 'finished' && outcome === 'completed' && roundsEnded !== 'conclusive';
  const samples = trials.flatMap(({ totals, ...trial }) =>
    totals === null ? [] : samplesOf({ ...trial, totals }).map(([sample]) => sample),
  );
  // Each group has its own passes, and a comparison only those of its group.
  const each = Math.ceil(new Set(samples).size / Math.max(1, plan.groups.length));
  return levelOfLook(plan.schedule, each, isLast);
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

/** Both measurements of a baseline count as the baseline: the sum of two slices, the geometric mean of two trials. */
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
          [...samples].map((sample) => {
            const amounts = own.flatMap((one) => one.get(sample) ?? []);
            return [sample, passOf(sample) > 0 ? sumOf(amounts) : amountAt(geometricMean(amounts.map(tps)))];
          }),
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

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce(
    (sum, one) => ({
      transactions: sum.transactions + one.transactions,
      durationMs: sum.durationMs + one.durationMs,
    }),
    { transactions: 0, durationMs: 0 },
  );
}

/**
 * Log ratio by sample, of those that both have. Whole trials: of their speeds; one without any has no ratio. Slices:
 * linearized around the ratio of the sums, ln(Y/Y') + t(y/Y − 1) − t'(y'/Y' − 1), with t a slice's time in units of
 * the mean. Their mean is the logarithm of the ratio of throughputs, as shown, and one with few transactions or none
 * weighs no more than it lasted. Source of the linearization of a ratio estimator: Cochran, Sampling Techniques,
 * 3rd ed. 1977, §6.3.
 */
export function logRatios(level: Samples = new Map(), reference: Samples = new Map()): Map<number, number> {
  const both = [...level].flatMap(([sample, own]) => {
    const against = reference.get(sample);
    return against === undefined ? [] : [{ sample, own, against }];
  });
  const [slices, whole] = [
    both.filter(({ sample }) => passOf(sample) > 0),
    both.filter(({ sample }) => passOf(sample) === 0),
  ];
  const logs = new Map<number, number>();
  for (const { sample, own, against } of whole) {
    const log = Math.log(tps(own) / tps(against));
    if (Number.isFinite(log)) logs.set(sample, log);
  }
  const deviations = deviationsOf(slices.map(({ own }) => own));
  const others = deviationsOf(slices.map(({ against }) => against));
  const mean = Math.log(deviations.mean / others.mean);
  if (!Number.isFinite(mean)) return logs;
  for (const [index, { sample }] of slices.entries()) {
    logs.set(sample, mean + (deviations.each[index] ?? 0) - (others.each[index] ?? 0));
  }
  return logs;
}

/** Relative deviations of throughput from that of all, each in proportion to its time: their sum is 0. */
function deviationsOf(amounts: readonly Amount[]): { mean: number; each: number[] } {
  const sum = sumOf(amounts);
  const mean = tps(sum);
  const meanMs = sum.durationMs / amounts.length;
  return { mean, each: amounts.map((one) => (one.durationMs / meanMs) * (tps(one) / mean - 1)) };
}

export function asSamples(logs: ReadonlyMap<number, number>): Sample[] {
  return [...logs].map(([sample, log]) => ({ round: roundOf(sample), log }));
}

function unity(own: Samples | undefined, confidence: number): RatioEstimate | null {
  if (own === undefined || own.size === 0) return null;
  const rounds = new Set([...own.keys()].map(roundOf));
  const counts = { degrees: own.size - 1, samples: own.size, pairedRounds: rounds.size };
  return { value: 1, low: 1, high: 1, standardError: 0, confidence, ...counts };
}

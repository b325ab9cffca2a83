import type { RatioEstimate } from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import { interimChecksOf, verdictsOf } from '../statistics/claims.ts';
import { pairedRatio, type RatioPair, verdictOf } from '../statistics/paired-ratio.ts';

export const CONFIDENCE = 0.95;

/** `speed` (model/measurements.ts) by scenario and round. */
export type Speeds = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface RateComparison {
  /** Null without a paired round; exactly 1 for the baseline. */
  ratio: RatioEstimate | null;
  verdict: Verdict;
  verdictAlone: Verdict;
}

type Compared = Pick<Scenario, 'id' | 'isAaRepeat'>;

interface CompareOptions<S extends Compared> {
  confidence: number;
  equivalence: number;
  baselineOf: (scenario: S) => string;
}

/** Verdicts hold for all comparisons and interim checks together (statistics/claims.ts); those of A/A pairs stand alone. */
export function compareSpeeds<S extends Compared>(
  plan: { scenarios: readonly S[] } & Pick<Plan, 'schedule'>,
  rates: Speeds,
  { confidence, equivalence, baselineOf }: CompareOptions<S>,
): Map<string, RateComparison> {
  const perLook = (1 - confidence) / interimChecksIn(plan);
  const ratios = plan.scenarios.map((scenario): RatioEstimate | null => {
    const baseline = baselineOf(scenario);
    if (scenario.id === baseline) return unity(rates.get(baseline)?.size ?? 0, confidence);
    const ratio = pairedRatio(pairs(rates.get(scenario.id), rates.get(baseline)), 1 - perLook);
    return ratio && { ...ratio, confidence };
  });
  const isCompared = (scenario: S): boolean => !scenario.isAaRepeat && scenario.id !== baselineOf(scenario);
  const together = verdictsOf(
    ratios.map((ratio, index) => {
      const scenario = plan.scenarios[index];
      return scenario !== undefined && isCompared(scenario) ? ratio : null;
    }),
    { alpha: perLook, equivalence },
  );
  return new Map(
    plan.scenarios.map((scenario, index) => {
      const ratio = ratios[index] ?? null;
      const verdictAlone = verdictOf(ratio, equivalence);
      const verdict = isCompared(scenario) ? (together[index] ?? 'inconclusive') : verdictAlone;
      return [scenario.id, { ratio, verdict, verdictAlone }];
    }),
  );
}

export function repeatsOf<S extends Compared & { baselineId: string }>(
  { id, isAaRepeat }: S,
  scenarios: readonly S[],
): S[] {
  return isAaRepeat ? [] : scenarios.filter((one) => one.isAaRepeat && one.baselineId === id);
}

/** Both measurements of a baseline count as the baseline: the geometric mean of those that a round has. */
export function pooledSpeeds<S extends Compared & { baselineId: string }>(
  scenarios: readonly S[],
  rates: Speeds,
): Speeds {
  return new Map(
    scenarios.map((scenario) => {
      const own = [scenario, ...repeatsOf(scenario, scenarios)].flatMap(({ id }) => rates.get(id) ?? []);
      const rounds = new Set(own.flatMap((one) => [...one.keys()]));
      return [
        scenario.id,
        new Map(
          [...rounds].map((round) => [round, geometricMean(own.flatMap((one) => one.get(round) ?? []))]),
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

export function interimChecksIn({ schedule }: Pick<Plan, 'schedule'>): number {
  return schedule.untilConclusive === undefined ? 1 : interimChecksOf(schedule.rounds);
}

function pairs(
  scenario: ReadonlyMap<number, number> | undefined,
  baseline: ReadonlyMap<number, number> | undefined,
): RatioPair[] {
  return [...(scenario ?? [])].flatMap(([round, rate]) => {
    const base = baseline?.get(round);
    return base === undefined ? [] : [{ scenario: rate, baseline: base }];
  });
}

function unity(rounds: number, confidence: number): RatioEstimate | null {
  return rounds === 0
    ? null
    : { value: 1, low: 1, high: 1, standardError: 0, confidence, pairedRounds: rounds };
}

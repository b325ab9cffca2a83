import type { RatioEstimate } from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import { verdictsOf } from '../statistics/claims.ts';
import { looksOf } from '../statistics/looks.ts';
import { pairedRatio, type RatioPair, verdictOf } from '../statistics/paired-ratio.ts';

/** Of the intervals, and of all verdicts of a run together. */
export const CONFIDENCE = 0.95;

/** What was achieved (`speed` in model/measurements.ts), by scenario and round. */
export type Rates = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface RateComparison {
  /** Null for lack of a paired round. The baseline's own is exactly 1. */
  ratio: RatioEstimate | null;
  verdict: Verdict;
  verdictAlone: Verdict;
}

/** What is compared: a scenario of a plan. */
type Compared = Pick<Scenario, 'id' | 'isNoiseFloor'>;

export interface CompareOptions<S extends Compared> {
  /** Of the run's statements: 0.95. */
  confidence: number;
  /** Half-width of "no difference that matters". */
  equivalence: number;
  /** The scenario that each is compared with. */
  baselineOf: (scenario: S) => string;
}

/**
 * The paired ratio of every scenario of a plan to its baseline, and what may be said of it beside all others. Where a
 * run looks several times whether it is settled, intervals and verdicts hold at all of its looks (statistics/looks.ts).
 * The A/A pairs are checks of the machine, no comparisons: their verdict stands alone.
 */
export function compareRates<S extends Compared>(
  plan: { scenarios: readonly S[] } & Pick<Plan, 'schedule'>,
  rates: Rates,
  { confidence, equivalence, baselineOf }: CompareOptions<S>,
): Map<string, RateComparison> {
  const perLook = (1 - confidence) / looksIn(plan);
  const ratios = plan.scenarios.map((scenario): RatioEstimate | null => {
    const baseline = baselineOf(scenario);
    if (scenario.id === baseline) return unity(rates.get(baseline)?.size ?? 0, confidence);
    const ratio = pairedRatio(pairs(rates.get(scenario.id), rates.get(baseline)), 1 - perLook);
    return ratio && { ...ratio, confidence };
  });
  const isCompared = (scenario: S): boolean => !scenario.isNoiseFloor && scenario.id !== baselineOf(scenario);
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
      const verdict = isCompared(scenario) ? (together[index] ?? 'unsettled') : verdictAlone;
      return [scenario.id, { ratio, verdict, verdictAlone }];
    }),
  );
}

/** How often a run with this schedule looks at its numbers. */
export function looksIn({ schedule }: Pick<Plan, 'schedule'>): number {
  return schedule.untilSettled === undefined ? 1 : looksOf(schedule.rounds);
}

/** Rates of both sides for every round in which both were measured. */
function pairs(
  scenario: ReadonlyMap<number, number> | undefined,
  baseline: ReadonlyMap<number, number> | undefined,
): RatioPair[] {
  return [...(scenario ?? [])].flatMap(([round, rate]) => {
    const base = baseline?.get(round);
    return base === undefined ? [] : [{ scenario: rate, baseline: base }];
  });
}

/** The baseline compared with itself is 1 by definition, not by measurement. */
function unity(rounds: number, confidence: number): RatioEstimate | null {
  return rounds === 0
    ? null
    : { value: 1, low: 1, high: 1, standardError: 0, confidence, pairedRounds: rounds };
}

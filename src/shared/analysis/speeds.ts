import type { Verdict } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import { plannedPasses } from '../run/planned-time.ts';
import type { RunState } from '../model/run-state.ts';
import { claimsOf } from '../statistics/claims.ts';
import { ENOUGH_SAMPLES, type Estimate, estimateAt, type RatioEstimate } from '../statistics/estimate.ts';
import { levelAt, type LevelOf, type Looks, ONE_LOOK } from '../statistics/spending.ts';
import { ALIKE, commonSamples, contrastOf, type Term } from './contrast.ts';
import { repeatsOf, roundOf, type Samples, samplesOf, type Speeds } from './samples.ts';

export const CONFIDENCE = 0.95;

type Planned = Parameters<typeof plannedPasses>[0] & { task?: Plan['task'] };

/** Tasks have few looks, and each round without a decided scenario saves much. */
const POWER_OF_TASKS = 2;

export function looksOf(plan: Planned): Looks {
  const power = (plan.task ?? null) === null ? {} : { power: POWER_OF_TASKS };
  return { planned: plannedPasses(plan), first: ENOUGH_SAMPLES, ...power };
}

/** One look per sample. The end of a run spends the rest of α, unless its numbers ended it. */
export function levelOfRun({ plan, trials, status, outcome, roundsEnded }: RunState): LevelOf {
  const isLast = status === 'finished' && outcome === 'completed' && roundsEnded !== 'conclusive';
  const samples = trials.flatMap((trial) => samplesOf(trial).map(([sample]) => sample));
  // A comparison has only the passes of its group.
  const each = Math.ceil(new Set(samples).size / Math.max(1, plan.groups.length));
  return levelOfLook(plan, each, isLast);
}

/** Levels (α) after so many samples; the whole α for one look. */
export function levelOfLook(plan: Planned, samples: number, isLast = false): LevelOf {
  if (plan.schedule.untilConclusive === undefined) return ONE_LOOK;
  const looks = looksOf(plan);
  const level = levelAt(samples, looks, isLast);
  if ((plan.task ?? null) === null) return level;
  // A decided scenario that was left out keeps the level of its last look.
  return (alpha, own = samples) => (own < samples ? levelAt(own, looks, false) : level)(alpha);
}

export interface RateComparison {
  /** Null without a paired round; exactly 1 for the baseline. */
  ratio: RatioEstimate | null;
  verdict: Verdict;
  verdictAlone: Verdict;
  /** The same as `ScenarioAnalysis.named`. */
  named: RatioEstimate | null;
}

type Compared = Pick<Scenario, 'id' | 'isAaRepeat' | 'baselineId' | 'serverId'>;

/** `adjusts`: for other programs' activity. */
export type Estimator = (
  terms: readonly Term[],
  samples: readonly number[],
  adjusts?: boolean,
) => Estimate | null;

const WITHOUT_SERVERS: Estimator = (terms, samples) => contrastOf(terms, samples, ALIKE);

interface CompareOptions<S extends Compared> {
  confidence: number;
  marginOf: (scenario: S) => number;
  baselineOf: (scenario: S) => string;
  levelOf?: LevelOf;
  estimate?: Estimator;
}

/** Verdicts hold for all comparisons and looks together (statistics/claims.ts); A/A pairs stand alone. */
export function compareSpeeds<S extends Compared>(
  scenarios: readonly S[],
  rates: Speeds,
  options: CompareOptions<S>,
): Map<string, RateComparison> {
  const { confidence, marginOf, baselineOf, levelOf = ONE_LOOK, estimate = WITHOUT_SERVERS } = options;
  const alpha = 1 - confidence;
  const byId = new Map(scenarios.map((one) => [one.id, one]));
  const estimates = scenarios.map((scenario): Estimate | null => {
    const baseline = byId.get(baselineOf(scenario));
    if (baseline === undefined || baseline === scenario) return null;
    const terms = [termOf(scenario, 1, scenarios, rates), termOf(baseline, -1, scenarios, rates)];
    return estimate(terms, commonSamples(terms.map(({ speeds }) => speeds)));
  });
  const isCompared = (scenario: S): boolean => !scenario.isAaRepeat && scenario.id !== baselineOf(scenario);
  const together = claimsOf(
    scenarios.map((scenario, index) => ({
      estimate: isCompared(scenario) ? (estimates[index] ?? null) : null,
      margin: marginOf(scenario),
    })),
    { alpha, levelOf },
  );
  return new Map(
    scenarios.map((scenario, index) => {
      const own = estimates[index] ?? null;
      const isBaseline = scenario.id === baselineOf(scenario);
      const [alone] = claimsOf([{ estimate: own, margin: marginOf(scenario) }], { alpha, levelOf });
      const ratio = isBaseline
        ? unity(rates.get(scenario.id), confidence)
        : estimateAt(own, levelOf(alpha, own?.samples), confidence);
      const verdictAlone = isBaseline && ratio !== null ? 'same' : (alone?.verdict ?? 'inconclusive');
      const { verdict, level } = together[index] ?? { verdict: 'inconclusive', level: null };
      return [
        scenario.id,
        {
          ratio,
          verdict: isCompared(scenario) ? verdict : verdictAlone,
          verdictAlone,
          named: level === null ? null : estimateAt(own, level, confidence),
        },
      ];
    }),
  );
}

/** Each server of a baseline that is measured twice counts half. */
export function termOf<S extends Compared>(
  scenario: S,
  weight: number,
  scenarios: readonly S[],
  rates: Speeds,
): Term {
  const all = [scenario, ...repeatsOf(scenario, scenarios)].map(({ serverId }) => serverId);
  const servers = new Map<string, number>();
  for (const id of all) servers.set(id, (servers.get(id) ?? 0) + 1 / all.length);
  return { speeds: rates.get(scenario.id) ?? new Map<number, never>(), weight, servers };
}

function unity(own: Samples | undefined, confidence: number): RatioEstimate | null {
  if (own === undefined || own.size === 0) return null;
  const rounds = new Set([...own.keys()].map(roundOf));
  const counts = { degrees: own.size - 1, samples: own.size, pairedRounds: rounds.size };
  return { value: 1, low: 1, high: 1, standardError: 0, confidence, ...counts };
}

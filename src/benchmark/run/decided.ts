import type { PublishedClaim } from '../../shared/analysis/analysis.ts';
import { commonSamples } from '../../shared/analysis/contrast.ts';
import { publishedClaims } from '../../shared/analysis/published.ts';
import { compareSpeeds, CONFIDENCE, type Estimator } from '../../shared/analysis/speeds.ts';
import { type CrossedScenario, effectsOf, marginBetween } from '../../shared/analysis/effects.ts';
import { type Factor, referenceOf } from '../../shared/model/factors.ts';
import { estimatorOf } from '../../shared/analysis/estimator.ts';
import { pooledSpeeds, type Speeds } from '../../shared/analysis/samples.ts';
import type { Verdict } from '../../shared/model/names.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import type { PlanReference } from '../../shared/model/reference.ts';
import { canSettle, estimateAt, type RatioEstimate } from '../../shared/statistics/estimate.ts';
import type { LevelOf } from '../../shared/statistics/spending.ts';

export type ComparedPlan = {
  scenarios: readonly (CrossedScenario & Pick<Scenario, 'baselineId'>)[];
} & Pick<Plan, 'equivalence' | 'baselineId'> &
  Partial<Pick<Plan, 'task' | 'serversApart'>> & { reference?: Pick<PlanReference, 'claims'> | null };

/** `factor` is null for all but effects. */
export interface Comparison {
  factor: Factor | null;
  scenarioIds: string[];
  ratio: RatioEstimate | null;
  verdict: Verdict | PublishedClaim['verdict'];
}

export function comparisonsIn(plan: ComparedPlan, speeds: Speeds, levelOf: LevelOf): Comparison[] {
  const { scenarios, equivalence, baselineId } = plan;
  const rates = pooledSpeeds(scenarios, speeds);
  const how = { confidence: CONFIDENCE, levelOf, estimate: estimatorOf(plan, speeds) };
  if (plan.reference?.claims.some(({ pairs }) => pairs.length > 0))
    return publishedClaims(plan, rates, how).map((one) => ({ ...one, factor: null, scenarioIds: [] }));
  const effects = effectsOf(scenarios, rates, {
    ...how,
    equivalence,
    referenceId: baselineId,
    isBrief: true,
  }).map(({ factor, pairs, ratio, verdict }) => {
    const scenarioIds = pairs.flatMap(({ scenarioId, referenceId }) => [scenarioId, referenceId]);
    return { factor, scenarioIds, ratio, verdict };
  });
  const covered = new Set(effects.flatMap(({ scenarioIds }) => scenarioIds));
  const docker = referenceOf(scenarios, baselineId)?.id;
  const alone = scenarios.filter(
    ({ id, isAaRepeat, baselineId: own }) => !isAaRepeat && id !== own && (!covered.has(id) || id === docker),
  );
  if (effects.length + alone.length === 0)
    return scenarios.flatMap((one) => knownSpeed(one, plan, rates, how));
  if (alone.length === 0) return effects;
  const byId = new Map(scenarios.map((one) => [one.id, one]));
  const cells = compareSpeeds(scenarios, rates, {
    ...how,
    marginOf: (one) => marginBetween(one, byId.get(one.baselineId) ?? one, equivalence),
    baselineOf: (one) => one.baselineId,
  });
  return [
    ...effects,
    ...alone.flatMap(({ id, baselineId: own }) => {
      const found = cells.get(id);
      return found === undefined ? [] : [{ ...found, factor: null, scenarioIds: [id, own] }];
    }),
  ];
}

/** Without comparisons, `same` means that the speed is known to the margin. */
function knownSpeed(
  scenario: ComparedPlan['scenarios'][number],
  { equivalence }: ComparedPlan,
  rates: Speeds,
  { confidence, levelOf, estimate }: { confidence: number; levelOf: LevelOf; estimate: Estimator },
): Comparison[] {
  if (scenario.isAaRepeat) return [];
  // Differences from other servers of its kind are left out.
  const speeds = rates.get(scenario.id) ?? new Map<number, never>();
  const own = estimate([{ speeds, weight: 1, servers: new Map() }], commonSamples([speeds]));
  const ratio = estimateAt(own, levelOf(1 - confidence, own?.samples), confidence);
  const isKnown = ratio !== null && (ratio.high ?? Infinity) <= ratio.value * (1 + equivalence);
  return [{ factor: null, scenarioIds: [scenario.id], ratio, verdict: isKnown ? 'same' : 'inconclusive' }];
}

/** False if no comparison has a ratio. */
export function areConclusive(comparisons: readonly Comparison[]): boolean {
  const settled = comparisons.filter(canSettle);
  return settled.length > 0 && settled.every(({ verdict }) => verdict !== 'inconclusive');
}

/** A scenario without any comparison may still get one. */
export function decidedIn(comparisons: readonly Comparison[]): string[] {
  const open = new Set(
    comparisons.flatMap(({ verdict, scenarioIds }) => (verdict === 'inconclusive' ? scenarioIds : [])),
  );
  return [...new Set(comparisons.flatMap(({ scenarioIds }) => scenarioIds))].filter((id) => !open.has(id));
}

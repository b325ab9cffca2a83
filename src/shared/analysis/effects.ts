import { type Effect, type EffectAt } from './analysis.ts';
import {
  DEPENDS_ON,
  type DependsOn,
  type Factor,
  FACTORS,
  type Leveled,
  levelOf,
  referenceOf,
} from '../model/factors.ts';
import type { Scenario } from '../model/plan.ts';
import { claimsOf, holm } from '../statistics/claims.ts';
import { ENOUGH_SAMPLES, type Estimate, estimateAt, type RatioEstimate } from '../statistics/estimate.ts';
import { type LevelOf, ONE_LOOK } from '../statistics/spending.ts';
import { studentTQuantile } from '../statistics/student-t.ts';
import { commonSamples, type Term } from './contrast.ts';
import { roundOf, type Speeds } from './samples.ts';
import { type Estimator, termOf } from './speeds.ts';

type Levels = Record<DependsOn, string>;

export type CrossedScenario = Leveled &
  Pick<Scenario, 'id' | 'serverId' | 'isAaRepeat' | 'baselineId' | 'storage'>;

interface EffectOptions {
  confidence: number;
  equivalence: number;
  /** The scenario to compare with; for a native baseline the first one in a container. */
  referenceId: string;
  levelOf?: LevelOf;
  estimate: Estimator;
  /** Skips `dependsOn` and `others`. */
  isBrief?: boolean;
}

export type EstimatedEffect = Omit<Effect, 'unsafe' | 'cost' | 'took'>;

interface Context {
  levels: Levels;
  scenarioId: string;
  referenceId: string;
  /** The scenario with weight 1, then its reference with −1. */
  terms: readonly [Term, Term];
  samples: readonly number[];
}

interface Crossing {
  factor: Factor;
  level: string;
  reference: string;
  contexts: readonly Context[];
  samples: readonly number[];
}

/** Twice as wide for storage, since moving data costs more than changing a path. */
export function marginOf(factor: Factor, equivalence: number): number {
  return factor === 'storage' ? 2 * equivalence : equivalence;
}

/** Storage's margin if nothing else differs. */
export function marginBetween(one: CrossedScenario, other: CrossedScenario, equivalence: number): number {
  const differing = DEPENDS_ON.filter((factor) => levelOf(one, factor) !== levelOf(other, factor));
  return differing.length === 1 && differing[0] === 'storage'
    ? marginOf('storage', equivalence)
    : equivalence;
}

/**
 * Mean log ratios over combinations of other factors with both levels. Verdicts hold for all effects and
 * looks together. Source: Box, Hunter & Hunter, Statistics for Experimenters, 2nd ed. 2005, ch. 5.
 */
export function effectsOf(
  scenarios: readonly CrossedScenario[],
  rates: Speeds,
  options: EffectOptions,
): EstimatedEffect[] {
  const { confidence, equivalence, referenceId, levelOf = ONE_LOOK, isBrief = false } = options;
  const alpha = 1 - confidence;
  const crossings = crossingsOf(scenarios, rates, referenceId);
  const estimates = crossings.map(({ factor, contexts, samples }) =>
    options.estimate(meanOf(contexts), samples, isAdjusted(factor)),
  );
  const claims = claimsOf(
    crossings.map(({ factor }, index) => ({
      estimate: estimates[index] ?? null,
      margin: marginOf(factor, equivalence),
    })),
    { alpha, levelOf },
  );
  const dependences = isBrief ? [] : dependencesOf(crossings, { ...options, levelOf });
  return crossings.map(({ factor, level, reference, contexts, samples }, index): EstimatedEffect => {
    const estimate = estimates[index] ?? null;
    const claim = claims[index] ?? { verdict: 'inconclusive', level: null };
    return {
      factor,
      level,
      reference,
      margin: marginOf(factor, equivalence),
      pairs: contexts.map(({ scenarioId, referenceId: against }) => ({ scenarioId, referenceId: against })),
      rounds: [...new Set(samples.map(roundOf))],
      ratio: estimateAt(estimate, levelOf(alpha, estimate?.samples), confidence),
      verdict: claim.verdict,
      named: claim.level === null ? null : estimateAt(estimate, claim.level, confidence),
      dependsOn: dependences[index]?.on ?? null,
      at: dependences[index]?.at ?? [],
      others: (isBrief ? [] : crossings.slice(index + 1)).flatMap((other) => {
        const ratio =
          other.factor === factor ? betweenLevels(other, contexts, { ...options, levelOf }) : null;
        return ratio === null ? [] : [{ level: other.level, ratio }];
      }),
    };
  });
}

function betweenLevels(
  { factor, contexts: others }: Crossing,
  own: readonly Context[],
  { confidence, equivalence, levelOf, estimate: estimator }: DependenceOptions,
): RatioEstimate | null {
  const pairs = others.flatMap(({ referenceId, terms: [term] }) => {
    const against = own.find((one) => one.referenceId === referenceId)?.terms[0];
    return against === undefined ? [] : [{ terms: [term, { ...against, weight: -1 }] as const }];
  });
  if (pairs.length === 0) return null;
  const terms = meanOf(pairs);
  const samples = commonSamples(terms.map(({ speeds }) => speeds));
  const estimate = estimator(terms, samples, isAdjusted(factor));
  const alpha = 1 - confidence;
  const [claim] = claimsOf([{ estimate, margin: marginOf(factor, equivalence) }], { alpha, levelOf });
  return estimateAt(
    estimate,
    claim?.verdict === 'same' ? (claim.level ?? alpha) : levelOf(alpha),
    confidence,
  );
}

/** The mean log ratio over the largest measured block; null without one. */
export function estimateOfPairs(
  pairs: Effect['pairs'],
  scenarios: readonly CrossedScenario[],
  rates: Speeds,
  estimate: Estimator,
): Estimate | null {
  const of = (id: string) => scenarios.find((one) => one.id === id);
  const measured = pairs.flatMap(({ scenarioId, referenceId }) => {
    const [one, other] = [of(scenarioId), of(referenceId)];
    if (one === undefined || other === undefined) return [];
    const samples = commonSamples([one, other].map(({ id }) => rates.get(id) ?? new Map<number, never>()));
    return samples.length === 0 ? [] : [{ one, other, samples }];
  });
  if (measured.length === 0) return null;
  const { contexts, samples } = completeBlock(measured);
  // A scenario in several pairs is one term, with one noise.
  const weights = new Map<CrossedScenario, number>();
  for (const { one, other } of contexts) {
    weights.set(one, (weights.get(one) ?? 0) + 1 / contexts.length);
    weights.set(other, (weights.get(other) ?? 0) - 1 / contexts.length);
  }
  const terms = [...weights].map(([one, weight]) => termOf(one, weight, scenarios, rates));
  const isWithinPaths = contexts.every(({ one, other }) => levelOf(one, 'path') === levelOf(other, 'path'));
  return estimate(terms, samples, isWithinPaths);
}

/** Storage doesn't change other programs' activity, but a network path may. */
function isAdjusted(factor: Factor): boolean {
  return factor === 'storage';
}

function meanOf(contexts: readonly { terms: readonly Term[] }[], sign = 1): Term[] {
  return contexts.flatMap(({ terms }) =>
    terms.map((one) => ({ ...one, weight: (sign * one.weight) / contexts.length })),
  );
}

function crossingsOf(scenarios: readonly CrossedScenario[], rates: Speeds, referenceId: string): Crossing[] {
  const crossed = scenarios
    .filter(({ isAaRepeat }) => !isAaRepeat)
    .map((scenario) => ({
      scenario,
      levels: Object.fromEntries(DEPENDS_ON.map((one) => [one, levelOf(scenario, one)])) as Levels,
    }));
  const wanted = referenceOf(scenarios, referenceId);
  const reference = crossed.find(({ scenario }) => scenario === wanted);
  if (reference === undefined) return [];
  return FACTORS.flatMap((factor) => {
    const known = [...new Set(crossed.map(({ levels }) => levels[factor]))];
    return known.flatMap((level): Crossing[] => {
      const against = reference.levels[factor];
      if (level === against) return [];
      const contexts = crossed.flatMap(({ scenario, levels }): Context[] => {
        if (levels[factor] !== level) return [];
        const twin = crossed.find(({ levels: other }) =>
          DEPENDS_ON.every((one) => other[one] === (one === factor ? against : levels[one])),
        );
        if (twin === undefined) return [];
        const terms: [Term, Term] = [
          termOf(scenario, 1, scenarios, rates),
          termOf(twin.scenario, -1, scenarios, rates),
        ];
        const samples = commonSamples(terms.map(({ speeds }) => speeds));
        return [{ levels, scenarioId: scenario.id, referenceId: twin.scenario.id, terms, samples }];
      });
      if (contexts.length === 0) return [];
      return [{ factor, level, reference: against, ...completeBlock(contexts) }];
    });
  });
}

/** The largest block of combinations and samples without a gap. */
function completeBlock<C extends Pick<Context, 'samples'>>(
  contexts: readonly C[],
): { contexts: readonly C[]; samples: readonly number[] } {
  const bySamples = [...contexts].sort((a, b) => b.samples.length - a.samples.length);
  let samples = bySamples[0]?.samples ?? [];
  const blocks = bySamples.map((last, index) => {
    const own = new Set(last.samples);
    samples = samples.filter((sample) => own.has(sample));
    const chosen = bySamples.slice(0, index + 1);
    return { contexts: contexts.filter((one) => chosen.includes(one)), samples };
  });
  const [best = { contexts, samples: [] }] = blocks.sort((a, b) => expectedWidth(a) - expectedWidth(b));
  return best;
}

function expectedWidth({ contexts, samples }: Record<'contexts' | 'samples', readonly unknown[]>): number {
  const slices = contexts.length * samples.length;
  if (samples.length === 0) return Infinity;
  if (samples.length < ENOUGH_SAMPLES) return 1e6 / slices;
  return studentTQuantile(0.975, samples.length - 1) / Math.sqrt(slices);
}

type DependenceOptions = EffectOptions & { levelOf: LevelOf };

/**
 * The strongest dependence by a crossing's place: an effect differs at one level by more than its margin and
 * chance (Holm over all).
 */
function dependencesOf(
  crossings: readonly Crossing[],
  { confidence, equivalence, levelOf, estimate }: DependenceOptions,
): { on: DependsOn; at: EffectAt[] }[] {
  const alpha = 1 - confidence;
  const questions = crossings.flatMap(({ factor, contexts, samples }, index) =>
    DEPENDS_ON.filter((one) => one !== factor).flatMap((on) => {
      const levels = [...new Set(contexts.map((context) => context.levels[on]))];
      if (levels.length < 2) return [];
      return levels.map((level) => {
        const own = contexts.filter((context) => context.levels[on] === level);
        const others = contexts.filter((context) => context.levels[on] !== level);
        return {
          index,
          on,
          level,
          margin: marginOf(factor, equivalence),
          scenarioId: own[0]?.scenarioId ?? '',
          estimate: estimate(meanOf(own), samples, isAdjusted(factor)),
          apart: estimate([...meanOf(own), ...meanOf(others, -1)], samples, isAdjusted(factor)),
        };
      });
    }),
  );
  const different = holm(
    questions.map(({ apart }) => apart?.differenceP() ?? null),
    alpha,
    (share) => levelOf(share),
  );
  const claims = claimsOf(questions, { alpha, levelOf });
  const found: { on: DependsOn; at: EffectAt[]; apart: number }[] = [];
  for (const [at, { index, on, apart, margin }] of questions.entries()) {
    const distance = Math.abs(Math.log(apart?.value ?? 1));
    if ((different[at] ?? null) === null || distance <= Math.log(1 + margin)) continue;
    if ((found[index]?.apart ?? 0) >= distance) continue;
    found[index] = {
      on,
      apart: distance,
      at: questions.flatMap(({ index: of, on: dimension, level, scenarioId, estimate: own }, position) =>
        of === index && dimension === on
          ? [
              {
                level,
                scenarioId,
                ratio: estimateAt(own, levelOf(alpha), confidence),
                verdict: claims[position]?.verdict ?? 'inconclusive',
              },
            ]
          : [],
      ),
    };
  }
  return found;
}

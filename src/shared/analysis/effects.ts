import { type Effect, type EffectAt } from './analysis.ts';
import { DEPENDS_ON, type DependsOn, type Factor, FACTORS } from '../model/names.ts';
import type { Scenario } from '../model/plan.ts';
import { claimsOf, differenceP, holm } from '../statistics/claims.ts';
import { ENOUGH_SAMPLES, meanRatio, type RatioEstimate } from '../statistics/paired-ratio.ts';
import { type LevelOf, ONE_LOOK } from '../statistics/spending.ts';
import { studentTQuantile } from '../statistics/student-t.ts';
import { isContainerStorage } from '../kinds/storages.ts';
import { estimateAt, logRatios, roundOf, type Speeds } from './speeds.ts';

type Levels = Record<DependsOn, string>;

export type CrossedScenario = Pick<
  Scenario,
  | 'id'
  | 'serverId'
  | 'isAaRepeat'
  | 'storageId'
  | 'storage'
  | 'path'
  | 'engine'
  | 'server'
  | 'loadGenerator'
  | 'connections'
>;

interface EffectOptions {
  confidence: number;
  equivalence: number;
  /** Its levels are what the others are compared with; outside a container, the first scenario in one. */
  referenceId: string;
  levelOf?: LevelOf;
  /** False: effects alone, not whether they depend on each other. */
  findsDependences?: boolean;
}

export type EstimatedEffect = Omit<Effect, 'unsafe' | 'cost'>;

/** One combination of the other factors, with a scenario at both levels. */
interface Context {
  levels: Levels;
  scenarioId: string;
  referenceId: string;
  servers: string;
  /** Log ratio by sample. */
  logs: ReadonlyMap<number, number>;
}

interface Crossing {
  factor: Factor;
  level: string;
  reference: string;
  contexts: Context[];
  samples: number[];
}

/**
 * The effect of each level of each factor: within a sample, the mean log ratio over all combinations of the other
 * factors that have both levels; over the samples, the interval of statistics/paired-ratio.ts. Verdicts hold for
 * all effects together (Holm), and over all looks of a run until conclusive. Main effects of a crossed
 * design: Box, Hunter & Hunter, Statistics for Experimenters, 2nd ed. 2005, ch. 5.
 */
export function effectsOf(
  scenarios: readonly CrossedScenario[],
  rates: Speeds,
  { confidence, equivalence, referenceId, levelOf = ONE_LOOK, findsDependences = true }: EffectOptions,
): EstimatedEffect[] {
  const alpha = 1 - confidence;
  const estimate: Estimator = (samples, log, share) => {
    const logs = samples.map((sample) => ({ round: roundOf(sample), log: log(sample) }));
    return estimateAt(meanRatio(logs, share), levelOf(alpha), confidence);
  };
  const crossings = crossingsOf(scenarios, rates, referenceId);
  const ratios = crossings.map(({ contexts, samples }) =>
    estimate(samples, (sample) => mean(contexts, sample), startShare(contexts)),
  );
  const claims = claimsOf(ratios, { alpha, equivalence, levelOf });
  const dependences = findsDependences
    ? dependencesOf(crossings, { alpha, equivalence, levelOf, estimate })
    : [];
  return crossings.map(({ factor, level, reference, contexts, samples }, index): EstimatedEffect => {
    const ratio = ratios[index] ?? null;
    const claim = claims[index] ?? { verdict: 'inconclusive', level: null };
    return {
      factor,
      level,
      reference,
      pairs: contexts.map(({ scenarioId, referenceId: against }) => ({ scenarioId, referenceId: against })),
      rounds: [...new Set(samples.map(roundOf))],
      ratio,
      verdict: claim.verdict,
      named: claim.level === null ? null : estimateAt(ratio, claim.level, confidence),
      dependsOn: dependences[index]?.on ?? null,
      at: dependences[index]?.at ?? [],
    };
  });
}

type Estimator = (
  samples: readonly number[],
  log: (sample: number) => number,
  startShare: number,
) => RatioEstimate | null;

/** Of the mean over several pairs of servers, each with its own start, relative to one pair. */
function startShare(contexts: readonly Context[]): number {
  const counts = new Map<string, number>();
  for (const { servers } of contexts) counts.set(servers, (counts.get(servers) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count / contexts.length) ** 2, 0);
}

export function levelOf(scenario: CrossedScenario, factor: DependsOn): string {
  switch (factor) {
    case 'storage':
      return scenario.storageId;
    case 'path':
      // A native server's loopback is what a container on the host's network uses.
      return scenario.path === 'loopback' ? 'host-network' : scenario.path;
    case 'connections':
      return String(scenario.connections);
    default:
      return scenario[factor] ?? '';
  }
}

export function referenceOf<S extends CrossedScenario>(
  scenarios: readonly S[],
  referenceId: string,
): S | undefined {
  const wanted = scenarios.find(({ id }) => id === referenceId);
  if (wanted !== undefined && isContainerStorage(wanted.storage.kind)) return wanted;
  return scenarios.find(({ storage }) => isContainerStorage(storage.kind)) ?? wanted;
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
        const logs = logRatios(rates.get(scenario.id), rates.get(twin.scenario.id));
        const servers = `${scenario.serverId} ${twin.scenario.serverId}`;
        return [{ levels, scenarioId: scenario.id, referenceId: twin.scenario.id, servers, logs }];
      });
      if (contexts.length === 0) return [];
      return [{ factor, level, reference: against, ...completeBlock(contexts) }];
    });
  });
}

/** The largest block of combinations and samples without a gap, whatever its trials measured. */
function completeBlock(contexts: Context[]): Pick<Crossing, 'contexts' | 'samples'> {
  const bySamples = [...contexts].sort((a, b) => b.logs.size - a.logs.size);
  const blocks = bySamples.map((_, index) => {
    const chosen = bySamples.slice(0, index + 1);
    const [first, ...others] = chosen;
    const samples = [...(first?.logs.keys() ?? [])].filter((sample) =>
      others.every(({ logs }) => logs.has(sample)),
    );
    return {
      contexts: contexts.filter((one) => chosen.includes(one)),
      samples: samples.sort((a, b) => a - b),
    };
  });
  const [best = { contexts, samples: [] }] = blocks.sort((a, b) => expectedWidth(a) - expectedWidth(b));
  return best;
}

function expectedWidth({ contexts, samples }: Pick<Crossing, 'contexts' | 'samples'>): number {
  const slices = contexts.length * samples.length;
  if (samples.length === 0) return Infinity;
  if (samples.length < ENOUGH_SAMPLES) return 1e6 / slices;
  return studentTQuantile(0.975, samples.length - 1) / Math.sqrt(slices);
}

function mean(contexts: readonly Context[], sample: number): number {
  return contexts.reduce((sum, { logs }) => sum + (logs.get(sample) ?? 0), 0) / contexts.length;
}

interface DependenceOptions {
  alpha: number;
  equivalence: number;
  levelOf: LevelOf;
  estimate: Estimator;
}

/** It differs at one level by more than the zone of equivalence, and by more than chance (Holm over all such questions). */
function dependencesOf(
  crossings: readonly Crossing[],
  { alpha, equivalence, levelOf, estimate }: DependenceOptions,
): { on: DependsOn; at: EffectAt[] }[] {
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
          scenarioId: own[0]?.scenarioId ?? '',
          ratio: estimate(samples, (sample) => mean(own, sample), startShare(own)),
          apart: estimate(
            samples,
            (sample) => mean(own, sample) - mean(others, sample),
            startShare(own) + startShare(others),
          ),
        };
      });
    }),
  );
  const different = holm(
    questions.map(({ apart }) => differenceP(apart)),
    alpha,
    levelOf,
  );
  const claims = claimsOf(
    questions.map(({ ratio }) => ratio),
    { alpha, equivalence, levelOf },
  );
  const found: { on: DependsOn; at: EffectAt[]; apart: number }[] = [];
  for (const [at, { index, on, apart }] of questions.entries()) {
    const distance = Math.abs(Math.log(apart?.value ?? 1));
    if ((different[at] ?? null) === null || distance <= Math.log(1 + equivalence)) continue;
    if ((found[index]?.apart ?? 0) >= distance) continue;
    found[index] = {
      on,
      apart: distance,
      at: questions.flatMap(({ index: of, on: dimension, level, scenarioId, ratio }, position) =>
        of === index && dimension === on
          ? [{ level, scenarioId, ratio, verdict: claims[position]?.verdict ?? 'inconclusive' }]
          : [],
      ),
    };
  }
  return found;
}

import { type Effect, type EffectAt, type RatioEstimate } from '../model/analysis.ts';
import { DEPENDS_ON, type DependsOn, type Factor, FACTORS } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import { differenceP, holm, interimChecksOf, verdictsOf } from '../statistics/claims.ts';
import { ENOUGH_ROUNDS, pairedRatio } from '../statistics/paired-ratio.ts';
import { studentTQuantile } from '../statistics/student-t.ts';
import { isContainerStorage } from '../kinds/storages.ts';
import type { Speeds } from './speeds.ts';

type Levels = Record<DependsOn, string>;

export type CrossedScenario = Pick<
  Scenario,
  | 'id'
  | 'isAaRepeat'
  | 'storageId'
  | 'storage'
  | 'path'
  | 'clientNode'
  | 'server'
  | 'bufferPool'
  | 'loadGenerator'
  | 'connections'
>;

interface EffectOptions {
  confidence: number;
  equivalence: number;
  /** Its levels are what the others are compared with; outside a container, the first scenario in one. */
  referenceId: string;
}

export type EstimatedEffect = Omit<Effect, 'unsafe' | 'cost'>;

/** One combination of the other factors, with a scenario at both levels. */
interface Context {
  levels: Levels;
  scenarioId: string;
  referenceId: string;
  /** Log ratio by round. */
  logs: ReadonlyMap<number, number>;
}

interface Crossing {
  factor: Factor;
  level: string;
  reference: string;
  contexts: Context[];
  rounds: number[];
}

/**
 * The effect of each level of each factor: within a round, the mean log ratio over all combinations of the other
 * factors that have both levels; over the rounds, a paired t interval (statistics/paired-ratio.ts). Verdicts hold for
 * all effects together (Holm), and at each interim check of a run until conclusive. Main effects of a crossed
 * design: Box, Hunter & Hunter, Statistics for Experimenters, 2nd ed. 2005, ch. 5.
 */
export function effectsOf(
  plan: { scenarios: readonly CrossedScenario[] } & Pick<Plan, 'schedule'>,
  rates: Speeds,
  { confidence, equivalence, referenceId }: EffectOptions,
): EstimatedEffect[] {
  const checks = plan.schedule.untilConclusive === undefined ? 1 : interimChecksOf(plan.schedule.rounds);
  const alpha = (1 - confidence) / checks;
  const estimate = (logs: readonly number[]): RatioEstimate | null => {
    const pairs = logs.map((log) => ({ scenario: Math.exp(log), baseline: 1 }));
    const ratio = pairedRatio(pairs, 1 - alpha);
    return ratio && { ...ratio, confidence };
  };
  const crossings = crossingsOf(plan.scenarios, rates, referenceId);
  const ratios = crossings.map(({ contexts, rounds }) =>
    estimate(rounds.map((round) => mean(contexts, round))),
  );
  const verdicts = verdictsOf(ratios, { alpha, equivalence });
  const dependences = dependencesOf(crossings, { alpha, equivalence, estimate });
  return crossings.map(({ factor, level, reference, contexts, rounds }, index): EstimatedEffect => ({
    factor,
    level,
    reference,
    pairs: contexts.map(({ scenarioId, referenceId: against }) => ({ scenarioId, referenceId: against })),
    rounds,
    ratio: ratios[index] ?? null,
    verdict: verdicts[index] ?? 'inconclusive',
    dependsOn: dependences[index]?.on ?? null,
    at: dependences[index]?.at ?? [],
  }));
}

export function levelOf(scenario: CrossedScenario, factor: DependsOn): string {
  switch (factor) {
    case 'storage':
      return scenario.storageId;
    case 'path':
      // A native server's loopback is what a container on the host's network uses.
      if (scenario.path === 'loopback') return 'host-network';
      return scenario.clientNode === null ? scenario.path : `${scenario.path}.${scenario.clientNode}`;
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
        return [{ levels, scenarioId: scenario.id, referenceId: twin.scenario.id, logs }];
      });
      if (contexts.length === 0) return [];
      return [{ factor, level, reference: against, ...completeBlock(contexts) }];
    });
  });
}

function logRatios(
  level: ReadonlyMap<number, number> | undefined,
  reference: ReadonlyMap<number, number> | undefined,
): Map<number, number> {
  return new Map(
    [...(level ?? [])].flatMap(([round, rate]): [number, number][] => {
      const against = reference?.get(round) ?? 0;
      return against > 0 ? [[round, Math.log(rate / against)]] : [];
    }),
  );
}

/** The largest block of combinations and rounds without a gap, whatever its trials measured. */
function completeBlock(contexts: Context[]): Pick<Crossing, 'contexts' | 'rounds'> {
  const byRounds = [...contexts].sort((a, b) => b.logs.size - a.logs.size);
  const blocks = byRounds.map((_, index) => {
    const chosen = byRounds.slice(0, index + 1);
    const [first, ...others] = chosen;
    const rounds = [...(first?.logs.keys() ?? [])].filter((round) =>
      others.every(({ logs }) => logs.has(round)),
    );
    return { contexts: contexts.filter((one) => chosen.includes(one)), rounds: rounds.sort((a, b) => a - b) };
  });
  const [best = { contexts, rounds: [] }] = blocks.sort((a, b) => expectedWidth(a) - expectedWidth(b));
  return best;
}

function expectedWidth({ contexts, rounds }: Pick<Crossing, 'contexts' | 'rounds'>): number {
  const trials = contexts.length * rounds.length;
  if (rounds.length === 0) return Infinity;
  if (rounds.length < ENOUGH_ROUNDS) return 1e6 / trials;
  return studentTQuantile(0.975, rounds.length - 1) / Math.sqrt(trials);
}

function mean(contexts: readonly Context[], round: number): number {
  return contexts.reduce((sum, { logs }) => sum + (logs.get(round) ?? 0), 0) / contexts.length;
}

interface DependenceOptions {
  alpha: number;
  equivalence: number;
  estimate: (logs: readonly number[]) => RatioEstimate | null;
}

/** It differs at one level by more than the zone of equivalence, and by more than chance (Holm over all such questions). */
function dependencesOf(
  crossings: readonly Crossing[],
  { alpha, equivalence, estimate }: DependenceOptions,
): { on: DependsOn; at: EffectAt[] }[] {
  const questions = crossings.flatMap(({ factor, contexts, rounds }, index) =>
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
          ratio: estimate(rounds.map((round) => mean(own, round))),
          apart: estimate(rounds.map((round) => mean(own, round) - mean(others, round))),
        };
      });
    }),
  );
  const different = holm(questions.map(({ apart }) => differenceP(apart)));
  const verdicts = verdictsOf(
    questions.map(({ ratio }) => ratio),
    { alpha, equivalence },
  );
  const found: { on: DependsOn; at: EffectAt[]; apart: number }[] = [];
  for (const [at, { index, on, apart }] of questions.entries()) {
    const distance = Math.abs(Math.log(apart?.value ?? 1));
    if ((different[at] ?? 1) > alpha || distance <= Math.log(1 + equivalence)) continue;
    if ((found[index]?.apart ?? 0) >= distance) continue;
    found[index] = {
      on,
      apart: distance,
      at: questions.flatMap(({ index: of, on: dimension, level, scenarioId, ratio }, position) =>
        of === index && dimension === on
          ? [{ level, scenarioId, ratio, verdict: verdicts[position] ?? 'inconclusive' }]
          : [],
      ),
    };
  }
  return found;
}

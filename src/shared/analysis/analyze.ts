import { appPlaceOf } from './app-place.ts';
import { analysisNotices } from './notices.ts';
import { baselines } from './comparisons.ts';
import { commonSamples, contrastLogs, contrastOf } from './contrast.ts';
import { compareSpeeds, CONFIDENCE, levelOfRun, type RateComparison, termOf } from './speeds.ts';
import { geometricMean, pooledSpeeds, roundOf, type Speeds, speedsOf } from './samples.ts';
import { latencyOf } from '../histogram/histogram.ts';
import { effectsOf, marginBetween } from './effects.ts';
import { completedEffect, headlineOf } from './findings.ts';
import { firstStartOf } from './first-start.ts';
import { grouped } from './grouped.ts';
import { estimatorOf } from './estimator.ts';
import { durabilityOf, flushesOf, flushOf, hostDurability, hostGap } from './durability.ts';
import { findFlags } from './flags.ts';
import { minutesFor, recommendationsOf } from './recommendations.ts';
import type { Analysis, ScenarioAnalysis } from './analysis.ts';
import { qps, tps, type Totals } from '../model/measurements.ts';
import type { Placement } from '../model/names.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import type { RunState, TrialState } from '../model/run-state.ts';
import { type MeasuredSums, publishedClaims, rangeOf, referenceFigure } from './published.ts';
import { whyNeverStarted } from '../run/failures.ts';
import { compareSteadiness } from './steadiness.ts';
import { sweepsOf } from './sweep.ts';
import { tpccFigures } from './tpcc-figures.ts';
import { pathFigures, trialFigures } from './trial-figures.ts';
import { partsOfTime, routeOf, waterfallOf } from './waterfall.ts';
import { claimsOf } from '../statistics/claims.ts';
import { SERVERS_APART } from '../statistics/components.ts';
import { estimateAt } from '../statistics/estimate.ts';
import type { LevelOf } from '../statistics/spending.ts';

interface AnalyzeOptions {
  confidence?: number;
  equivalence?: number;
  baselineId?: string;
  /** The app's place, for headline and advice. */
  appPlace?: Placement | null;
}

const NOTHING_COMPARED: RateComparison = {
  ratio: null,
  verdict: 'inconclusive',
  verdictAlone: 'inconclusive',
  named: null,
};

type Measured = TrialState & { totals: Totals };

/** Only trials with status `measured` count. Formulas: docs/explanation/method.md. */
export function analyze(state: RunState, options: AnalyzeOptions = {}): Analysis {
  const confidence = options.confidence ?? CONFIDENCE;
  const equivalence = options.equivalence ?? state.plan.equivalence;
  const baselineId = options.baselineId ?? state.plan.baselineId;
  const baselineOf = baselines(state.plan.scenarios, options.baselineId);
  const measured = state.trials.filter((trial): trial is Measured => trial.totals !== null);
  const rates = speedsOf(state.trials);
  const pooled = pooledSpeeds(state.plan.scenarios, rates);
  const scenarioOf = new Map(state.plan.scenarios.map((one) => [one.id, one]));
  const marginOf = (scenario: Scenario): number =>
    marginBetween(scenario, scenarioOf.get(baselineOf(scenario)) ?? scenario, equivalence);
  const estimate = estimatorOf(state.plan, rates);
  const how = { confidence, levelOf: levelOfRun(state), estimate };
  const compared = compareSpeeds(state.plan.scenarios, pooled, { ...how, marginOf, baselineOf });
  // A repeat also counts as its baseline.
  const countsAs = new Map(
    state.plan.scenarios.map(({ id, isAaRepeat, baselineId: of }) => [id, isAaRepeat ? [id, of] : [id]]),
  );
  const ownTrials = grouped(measured, ({ scenarioId }) => countsAs.get(scenarioId) ?? []);
  const unmeasured = grouped(
    state.trials.filter(({ totals }) => totals === null),
    ({ scenarioId }) => [scenarioId],
  );
  const own = ({ id }: Scenario): Measured[] => ownTrials.get(id) ?? [];

  const sums = new Map(
    state.plan.scenarios.flatMap((scenario) => {
      const trials = own(scenario);
      return trials.length === 0 ? [] : [[scenario.id, sumsOf(trials)] as const];
    }),
  );
  const flushes = flushesOf(state);
  const byRoute = grouped(state.plan.scenarios, (scenario) => [routeOf(scenario)]);
  const known = new Map(
    state.plan.scenarios.map((scenario) => {
      const facts = state.servers[scenario.serverId]?.facts;
      const figures = trialFigures(own(scenario), facts, flushOf(flushes, scenario));
      return [
        scenario.id,
        { ...figures, ...pathFigures((byRoute.get(routeOf(scenario)) ?? []).flatMap(own)) },
      ];
    }),
  );
  const steady = compareSteadiness(state.plan.scenarios, measured, { confidence, baselineOf });

  const counted = state.plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat);
  const scenarios = counted.map((scenario): ScenarioAnalysis => {
    const ownBaseline = baselineOf(scenario);
    const isBaseline = scenario.id === ownBaseline;
    const trials = own(scenario);
    const { ratio, verdict, verdictAlone, named } = compared.get(scenario.id) ?? NOTHING_COMPARED;
    const unused = (unmeasured.get(scenario.id) ?? []).filter(
      ({ status }) => status === 'failed' || status === 'canceled',
    );
    const knownFigures = known.get(scenario.id) ?? trialFigures([]);
    const durability = durabilityOf(state, scenario, flushes, knownFigures);
    const terms = [scenario, scenarioOf.get(ownBaseline) ?? scenario].map((one, at) =>
      termOf(one, at === 0 ? 1 : -1, state.plan.scenarios, pooled),
    );
    const samples = commonSamples(terms.map(({ speeds }) => speeds));
    return {
      ...figures(scenario, trials, sums.get(scenario.id)),
      isBaseline,
      isTask: state.plan.task !== null,
      baselineId: ownBaseline,
      reference: referenceFigure(state.plan.reference, { id: scenario.id, baselineId: ownBaseline }, sums),
      failed: unused.length,
      refused: trials.length > 0 ? null : whyNeverStarted(state, scenario),
      perMinute: tpccFigures(trials.filter(({ scenarioId }) => scenarioId === scenario.id)),
      ratio,
      margin: marginOf(scenario),
      verdict,
      verdictAlone,
      named,
      flags: findFlags(trials, durability).map(({ flag }) => flag),
      durability,
      steadiness: steady.get(scenario.id) ?? null,
      figures: knownFigures,
      parts: partsOfTime({
        meanUs: sums.get(scenario.id)?.latency?.meanUs ?? 0,
        figures: knownFigures,
        commitUs: durability?.commitUs ?? null,
        task: state.plan.task?.kind ?? null,
        trials,
      }),
      rounds: roundsOf(trials).map((round) => {
        const own = samples.filter((one) => roundOf(one) === round);
        const logs = own.length === 0 ? [] : contrastLogs(terms, own);
        return {
          round,
          tps: geometricMean(trials.flatMap((one) => (one.round === round ? [tps(one.totals)] : []))),
          ratio: logs.length > 0 ? geometricMean(logs.map(Math.exp)) : null,
        };
      }),
    };
  });
  const effects = effectsOf(state.plan.scenarios, pooled, {
    ...how,
    equivalence,
    referenceId: baselineId,
  }).map((one) => completedEffect(one, scenarios, state.plan.task));
  const claims = publishedClaims(state.plan, pooled, how).map((claim) => ({
    ...claim,
    minutes:
      claim.verdict === 'inconclusive' && claim.ratio !== null
        ? minutesFor([{ ratio: claim.ratio, margin: rangeOf(claim) }], state)
        : null,
  }));
  const app = appPlaceOf(state.plan, { effects, baselineId }, options.appPlace ?? null);
  const onHost = hostDurability(state);
  const task = state.plan.task?.kind ?? null;
  const analysis = {
    baselineId,
    equivalence,
    confidence,
    comparisons: scenarios.filter((one) => !one.isBaseline && one.ratio !== null).length,
    task,
    app,
    headline: headlineOf({ scenarios, effects, equivalence, task, app }),
    effects,
    scenarios,
    claims,
    hostFlush: onHost && state.hostFlush && { ...state.hostFlush, ...onHost },
    hostGap: hostGap(state, flushes),
    aaCheck: aaCheck(state.plan, rates, { ...how, equivalence }),
    waterfall: waterfallOf({ baselineId, effects, scenarios }),
    firstStart: firstStartOf(state.plan, measured),
    sweeps: sweepsOf(state.plan, scenarios),
  };
  const recommendations = recommendationsOf(state, analysis);
  return { ...analysis, recommendations, notices: analysisNotices(state, analysis) };
}

function figures(scenario: Scenario, trials: Measured[], sums: MeasuredSums | undefined) {
  return {
    id: scenario.id,
    label: scenario.label,
    loadGenerator: scenario.loadGenerator,
    connections: scenario.connections,
    measured: roundsOf(trials).length,
    tps: sums === undefined ? null : tps(sums),
    qps: sums === undefined ? null : qps(sums),
    latency: sums?.latency ?? null,
    transactions: sums?.transactions ?? 0,
    errors: sums?.errors ?? {},
  };
}

function sumsOf(trials: readonly Measured[]): MeasuredSums {
  const sum = { durationMs: 0, transactions: 0, reads: 0, writes: 0, other: 0, rollbacks: 0 };
  const errors: Record<string, number> = {};
  for (const { totals } of trials) {
    sum.durationMs += totals.durationMs;
    sum.transactions += totals.transactions;
    sum.reads += totals.reads;
    sum.writes += totals.writes;
    sum.other += totals.other;
    sum.rollbacks += totals.rollbacks;
    for (const [code, count] of Object.entries(totals.errors)) errors[code] = (errors[code] ?? 0) + count;
  }
  const latency = latencyOf(trials.map(({ totals }) => totals.histogram));
  return { ...sum, errors, latency };
}

function roundsOf(trials: readonly Measured[]): number[] {
  return [...new Set(trials.map(({ round }) => round))];
}

/** The worst pair of all buffer-pool sizes; null without an interval. */
function aaCheck(
  { scenarios, serversApart }: Plan,
  rates: Speeds,
  { confidence, equivalence, levelOf }: { confidence: number; equivalence: number; levelOf: LevelOf },
): Analysis['aaCheck'] {
  const alpha = 1 - confidence;
  const apart = serversApart ?? SERVERS_APART;
  const expected = { clone: apart, start: apart };
  const repeats = scenarios.filter(({ isAaRepeat }) => isAaRepeat);
  const pairs = repeats.flatMap(({ id, serverId, baselineId }) => {
    const baseline = scenarios.find((one) => one.id === baselineId);
    const terms = [
      { speeds: rates.get(id) ?? new Map(), weight: 1, servers: new Map([[serverId, 1]]) },
      {
        speeds: rates.get(baselineId) ?? new Map(),
        weight: -1,
        servers: new Map([[baseline?.serverId ?? '', 1]]),
      },
    ];
    const estimate = contrastOf(terms, commonSamples(terms.map(({ speeds }) => speeds)), expected);
    const ratio = estimateAt(estimate, levelOf(alpha), confidence);
    if (estimate === null || ratio === null || ratio.low === null) return [];
    const [claim] = claimsOf([{ estimate, margin: equivalence }], { alpha, levelOf });
    const outcomes = {
      same: 'passed',
      inconclusive: 'imprecise',
      slower: 'failed',
      faster: 'failed',
    } as const;
    return [{ ratio, outcome: outcomes[claim?.verdict ?? 'inconclusive'], pairs: repeats.length }];
  });
  for (const outcome of ['failed', 'imprecise', 'passed'] as const) {
    const found = pairs.find((pair) => pair.outcome === outcome);
    if (found !== undefined) return found;
  }
  return null;
}

import { analysisNotices } from './notices.ts';
import { baselines } from './comparisons.ts';
import { compareRates, CONFIDENCE, interimChecksIn, type RateComparison } from './compare-rates.ts';
import { mergeHistograms, summarizeHistogram } from '../histogram/histogram.ts';
import { findFlags } from './flags.ts';
import type {
  Analysis,
  Headline,
  AaOutcome,
  RatioEstimate,
  ReferenceFigure,
  ScenarioAnalysis,
  Why,
} from '../model/analysis.ts';
import type { Verdict } from '../model/names.ts';
import { qps, speed, tps, type Totals } from '../model/measurements.ts';
import type { Plan, Scenario } from '../model/plan.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';
import { sweepsOf } from './sweep.ts';
import { trialFigures, whyDifferent } from './why.ts';
import { verdictOf } from '../statistics/paired-ratio.ts';

interface AnalyzeOptions {
  confidence?: number;
  /** Half-width of "no difference that matters"; default: the plan's. */
  equivalence?: number;
  baselineId?: string;
}

const NOTHING_COMPARED: RateComparison = {
  ratio: null,
  verdict: 'inconclusive',
  verdictAlone: 'inconclusive',
};

type Measured = TrialOutline & { totals: Totals };

/**
 * The analysis of a run, finished or not: a pure function of its state. Only trials with status `measured` count.
 * Formulas: docs/explanation/method.md.
 */
export function analyze(state: RunOutline, options: AnalyzeOptions = {}): Analysis {
  const confidence = options.confidence ?? CONFIDENCE;
  const equivalence = options.equivalence ?? state.plan.equivalence;
  const baselineId = options.baselineId ?? state.plan.baselineId;
  const baselineOf = baselines(state.plan.scenarios, options.baselineId);
  const measured = state.trials.filter(
    (trial): trial is Measured => trial.status === 'measured' && trial.totals !== null,
  );
  const rates = new Map<string, Map<number, number>>();
  for (const trial of measured) {
    const rounds = rates.get(trial.scenarioId) ?? new Map<number, number>();
    rates.set(trial.scenarioId, rounds.set(trial.round, speed(trial.totals)));
  }
  const compared = compareRates(state.plan, rates, { confidence, equivalence, baselineOf });
  const asPlanned = compareRates(state.plan, rates, {
    confidence,
    equivalence,
    baselineOf: (scenario) => scenario.baselineId,
  });

  const known = new Map(
    state.plan.scenarios.map(({ id, serverId }) => [
      id,
      trialFigures(
        measured.filter(({ scenarioId }) => scenarioId === id),
        state.servers[serverId]?.facts?.flush,
      ),
    ]),
  );
  const whyOf = (id: string, baseline: string, verdict: Verdict): Why | null => {
    const [own, base] = [known.get(id), known.get(baseline)];
    if (own === undefined || base === undefined) return null;
    return verdict === 'slower' || verdict === 'faster' ? whyDifferent(own, base, verdict) : null;
  };

  const scenarios = state.plan.scenarios.map((scenario): ScenarioAnalysis => {
    const ownBaseline = baselineOf(scenario);
    const isBaseline = scenario.id === ownBaseline;
    const own = measured.filter(({ scenarioId }) => scenarioId === scenario.id);
    const { ratio, verdict, verdictAlone } = compared.get(scenario.id) ?? NOTHING_COMPARED;
    const unused = state.trials.filter(
      ({ scenarioId, status }) =>
        scenarioId === scenario.id && (status === 'failed' || status === 'canceled'),
    );
    const knownFigures = known.get(scenario.id) ?? trialFigures([]);
    return {
      ...figures(scenario, own),
      isBaseline,
      baselineId: ownBaseline,
      reference: referenceFigure(state.plan, scenario.id, ownBaseline),
      failed: unused.length,
      ratio,
      verdict,
      verdictAlone,
      flags: findFlags(own, knownFigures.flushUs).map(({ flag }) => flag),
      figures: knownFigures,
      why: whyOf(scenario.id, ownBaseline, verdict),
      rounds: own.map(({ round, totals }) => {
        const base = rates.get(ownBaseline)?.get(round);
        const ratio = base === undefined || base === 0 ? null : speed(totals) / base;
        return { round, tps: tps(totals), ratio };
      }),
    };
  });
  const analysis = {
    baselineId,
    equivalence,
    confidence,
    comparisons: scenarios.filter((one) => !one.isBaseline && !one.isAaRepeat && one.ratio !== null).length,
    rate: state.plan.rate,
    interimChecks: interimChecksIn(state.plan),
    headline: headline(scenarios),
    scenarios,
    aaCheck: aaCheck(state.plan.scenarios, asPlanned, equivalence),
    sweeps: sweepsOf(state.plan, scenarios),
  };
  return { ...analysis, notices: analysisNotices(state, analysis) };
}

/** The published number of a scenario, relative to the same baseline. */
function referenceFigure(
  { reference }: Plan,
  scenarioId: string,
  baselineId: string,
): ReferenceFigure | null {
  const cell = reference?.cells.find((one) => one.scenarioId === scenarioId);
  if (cell === undefined) return null;
  const base = reference?.cells.find((one) => one.scenarioId === baselineId);
  return { label: cell.label, tps: cell.tps, ratio: base === undefined ? cell.ratio : cell.tps / base.tps };
}

function figures(scenario: Scenario, trials: Measured[]) {
  const sum = { durationMs: 0, transactions: 0, reads: 0, writes: 0, other: 0 };
  const errors: Record<string, number> = {};
  for (const { totals } of trials) {
    sum.durationMs += totals.durationMs;
    sum.transactions += totals.transactions;
    sum.reads += totals.reads;
    sum.writes += totals.writes;
    sum.other += totals.other;
    for (const [code, count] of Object.entries(totals.errors)) errors[code] = (errors[code] ?? 0) + count;
  }
  const any = trials.length > 0;
  return {
    id: scenario.id,
    name: scenario.name,
    label: scenario.label,
    isAaRepeat: scenario.isAaRepeat,
    loadGenerator: scenario.loadGenerator,
    connections: scenario.connections,
    measured: trials.length,
    tps: any ? tps(sum) : null,
    qps: any ? qps(sum) : null,
    latency: summarizeHistogram(mergeHistograms(trials.map(({ totals }) => totals.histogram))),
    transactions: sum.transactions,
    errors,
  };
}

/** The worst A/A pair of all buffer-pool sizes. Null without an interval: one round shows nothing. */
function aaCheck(
  scenarios: Scenario[],
  compared: ReadonlyMap<string, RateComparison>,
  equivalence: number,
): Analysis['aaCheck'] {
  const pairs = scenarios.flatMap(({ id, isAaRepeat }) => {
    const ratio = isAaRepeat ? (compared.get(id)?.ratio ?? null) : null;
    if (ratio === null || ratio.low === null || ratio.high === null) return [];
    return [{ ratio, outcome: aaOutcome(ratio, ratio.low, ratio.high, equivalence) }];
  });
  for (const outcome of ['failed', 'imprecise', 'passed'] as const) {
    const found = pairs.find((pair) => pair.outcome === outcome);
    if (found !== undefined) return found;
  }
  return null;
}

function aaOutcome(ratio: RatioEstimate, low: number, high: number, equivalence: number): AaOutcome {
  if (low > 1 || high < 1) return 'failed';
  return verdictOf(ratio, equivalence) === 'same' ? 'passed' : 'imprecise';
}

/** The largest conclusive slowdown, otherwise the largest gain, otherwise why there is neither. */
function headline(scenarios: ScenarioAnalysis[]): Headline {
  if (scenarios.every(({ measured }) => measured === 0)) return { kind: 'nothing-measured' };
  if (!scenarios.some(({ isBaseline, measured }) => isBaseline && measured > 0)) {
    return { kind: 'no-baseline' };
  }
  const compared = scenarios.filter((one) => !one.isBaseline && !one.isAaRepeat && one.measured > 0);
  for (const verdict of ['slower', 'faster'] as const) {
    const settled = compared
      .flatMap(({ id, ratio, verdict: own }) => (own === verdict && ratio !== null ? [{ id, ratio }] : []))
      .sort((a, b) => Math.abs(Math.log(b.ratio.value)) - Math.abs(Math.log(a.ratio.value)));
    const first = settled[0];
    if (first !== undefined) {
      return { kind: 'difference', scenarioId: first.id, verdict, ratio: first.ratio };
    }
  }
  const allSame = compared.length > 0 && compared.every(({ verdict }) => verdict === 'same');
  return { kind: allSame ? 'all-same' : 'inconclusive' };
}

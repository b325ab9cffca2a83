import { ADVICE } from '../../shared/analysis/advice.ts';
import type { Analysis, ScenarioAnalysis } from '../../shared/analysis/analysis.ts';
import type { RatioEstimate } from '../../shared/statistics/estimate.ts';
import { imagesOf, type ImageChoice, type ScenarioLabel } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isTpcc } from '../../shared/model/workload.ts';
import { createTranslator, ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';

export function named<T extends { label: ScenarioLabel }>(one: T): T & { name: string } {
  return { ...one, name: labelText(one.label, ENGLISH) };
}

export function runSummary(state: RunState, analysis: Analysis, resultPath: string | null) {
  const { plan } = state;
  const { preset, seed, configs } = plan;
  const [first] = configs;
  const isTask = plan.task !== null;
  const bounds = isTask ? timeBounds : speedBounds;
  const planned = new Map(plan.scenarios.map((scenario) => [scenario.id, scenario]));
  return {
    result: resultPath,
    preset: preset.id,
    mode: plan.mode,
    outcome: state.outcome,
    seed,
    image: first === undefined ? null : imageSummary(first.image),
    images: imagesOf(plan).map(imageSummary),
    scenarios: analysis.scenarios.map((scenario) => ({
      id: scenario.id,
      name: labelText(scenario.label, ENGLISH),
      storage: planned.get(scenario.id)?.storageId ?? null,
      path: planned.get(scenario.id)?.path ?? null,
      baseline: scenario.isBaseline,
      baselineId: scenario.baselineId,
      loadGenerator: scenario.loadGenerator,
      connections: scenario.connections,
      tps: scenario.tps,
      p95Us: scenario.latency?.p95Us ?? null,
      ...(isTask ? { seconds: secondsOf(scenario) } : {}),
      ...bounds(scenario.ratio),
      verdict: scenario.verdict,
      flags: scenario.flags,
      durability: scenario.durability && {
        ...scenario.durability,
        flushUs: scenario.figures.flushUs,
        flushP99Us: scenario.figures.flushP99Us,
      },
      reference: scenario.reference,
      steadiness: scenario.steadiness && {
        variation: scenario.steadiness.variation,
        stalledShare: scenario.steadiness.stalledShare,
        ...speedBounds(scenario.steadiness.ratio),
        verdict: scenario.steadiness.verdict,
      },
      ...(isTpcc(plan.workload) ? (scenario.perMinute ?? NO_RATES) : {}),
      measured: scenario.measured,
      failed: scenario.failed,
    })),
    effects: analysis.effects.map(({ factor, level, reference, ratio, verdict, dependsOn, cost, at }) => ({
      factor,
      level,
      reference,
      ...bounds(ratio),
      verdict,
      dependsOn,
      at: at.map((one) => ({ level: one.level, ...bounds(one.ratio), verdict: one.verdict })),
      cost,
    })),
    claims: analysis.claims.map(({ says, low, high, ratio, verdict, minutes: more }) => ({
      says: says.en,
      allows: { low, high },
      ...bounds(ratio),
      verdict,
      minutes: more,
    })),
    recommendations: analysis.recommendations.map(({ code, factor, level, from, ratio, minutes: more }) => ({
      code,
      factor,
      level,
      from,
      ...bounds(ratio),
      costs: ADVICE[code].costs,
      minutes: more,
    })),
    ...(analysis.firstStart === null ? {} : { firstStart: analysis.firstStart }),
    hostFlush: analysis.hostFlush,
    hostGap: analysis.hostGap,
    aaCheck: analysis.aaCheck && { ...bounds(analysis.aaCheck.ratio), outcome: analysis.aaCheck.outcome },
    sweeps: analysis.sweeps.map(({ label, ...sweep }) => ({
      name: labelText(label, createTranslator('en')),
      ...sweep,
    })),
    excluded: plan.excluded.map(named),
    errors: state.trials.flatMap(({ id, error }) =>
      error === null ? [] : [{ trial: id, code: error.code, message: error.message }],
    ),
    warnings: analysis.notices.map(({ code, message }) => ({ code, message: message.text })),
  };
}

const NO_RATES = { newOrdersPerMinute: null, transactionsPerMinute: null, rollbacks: null };

type Bounds = Record<'ratio' | 'low' | 'high', number | null>;

function speedBounds(ratio: RatioEstimate | null): Bounds {
  return { ratio: ratio?.value ?? null, low: ratio?.low ?? null, high: ratio?.high ?? null };
}

/** A time ratio of 2 takes twice as long; both bounds are null without an interval. */
function timeBounds(ratio: RatioEstimate | null): Bounds {
  const turned = (bound: number | null): number | null => (bound === null || bound === 0 ? null : 1 / bound);
  const { ratio: value, low, high } = speedBounds(ratio);
  return { ratio: turned(value), low: turned(high), high: turned(low) };
}

function secondsOf({ latency }: ScenarioAnalysis): number | null {
  return latency === null ? null : latency.p50Us / 1e6;
}

function imageSummary({ requested, used, digest, imageId, version, substituted }: ImageChoice) {
  return { requested, used, digest, imageId, version, substituted };
}

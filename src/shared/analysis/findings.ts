import { isContainerStorage, losesData } from '../kinds/storages.ts';
import type { Analysis, Effect, ScenarioAnalysis } from './analysis.ts';
import { isDifference } from '../statistics/claims.ts';
import { inverse, type RatioEstimate } from '../statistics/estimate.ts';
import { isFor } from './app-place.ts';
import { comparisonOf } from './comparisons.ts';
import { hasInterval, mostApart } from './finding-claim.ts';
import { geometricMean } from './samples.ts';
import { FACTORS } from '../model/factors.ts';
import type { Verdict } from '../model/names.ts';
import type { Plan } from '../model/plan.ts';
import { isDataLoss, type Loss } from '../options/losses.ts';
import type { Finding, RunHeadline, Took } from '../model/history-entry.ts';
import type { EstimatedEffect } from './effects.ts';

export function completedEffect(
  effect: EstimatedEffect,
  scenarios: readonly ScenarioAnalysis[],
  task: Plan['task'],
): Effect {
  const of = (id: string): ScenarioAnalysis | undefined => scenarios.find((one) => one.id === id);
  const levels = effect.pairs.flatMap(({ scenarioId }) => of(scenarioId) ?? []);
  const references = effect.pairs.flatMap(({ referenceId }) => of(referenceId) ?? []);
  return {
    ...effect,
    unsafe: effect.factor === 'storage' ? unsafeSides(levels, references) : flaggedSides(levels, references),
    cost: isTooWide(effect) ? null : costOf(effect.ratio, references, task),
    took: tookOf(effect.named ?? effect.ratio, references, task?.kind ?? null),
  };
}

/** An amount next to such an interval would pass for a measured one. */
function isTooWide({ verdict, ratio }: EstimatedEffect): boolean {
  return verdict === 'inconclusive' && (ratio?.low ?? 0) < 0.5 * (ratio?.high ?? Infinity);
}

/** Storage that loses data, or that alone confirms flushes too early. */
function unsafeSides(
  levels: readonly ScenarioAnalysis[],
  references: readonly ScenarioAnalysis[],
): Effect['unsafe'] {
  const loses = (all: readonly ScenarioAnalysis[]): boolean =>
    all.some(({ label }) => losesData(label.storage));
  const { level, reference } = flaggedSides(levels, references);
  return { level: loses(levels) || level, reference: loses(references) || reference };
}

function isServersLoss(loss: Loss): boolean {
  return loss !== 'container' && isDataLoss(loss);
}

function flaggedSides(
  levels: readonly ScenarioAnalysis[],
  references: readonly ScenarioAnalysis[],
): Effect['unsafe'] {
  const isFlagged = (all: readonly ScenarioAnalysis[]): boolean =>
    all.some(
      ({ flags, durability }) =>
        flags.includes('not-durable') || (durability?.loses.some(isServersLoss) ?? false),
    );
  const [level, reference] = [isFlagged(levels), isFlagged(references)];
  return { level: level && !reference, reference: reference && !level };
}

export function isFasterUnsafe(unsafe: Effect['unsafe'], { value }: RatioEstimate): boolean {
  return value > 1 ? unsafe.level : unsafe.reference;
}

/** Time per transaction is connections / TPS (Little's law). */
function costOf(
  ratio: RatioEstimate | null,
  references: readonly ScenarioAnalysis[],
  task: Plan['task'],
): Effect['cost'] {
  const connections = new Set(references.map((one) => one.connections));
  const [count] = connections;
  if (ratio === null || ratio.low === null || count === undefined || connections.size > 1) return null;
  const tps = geometricMean(references.map((one) => one.tps ?? 0));
  if (!(tps > 0)) return null;
  const ms = (1000 * count) / tps;
  return { tps: task === null ? tps * (1 - ratio.value) : 0, ms: ms / ratio.value - ms };
}

function tookOf(
  ratio: RatioEstimate | null,
  references: readonly Pick<ScenarioAnalysis, 'tps'>[],
  task: Analysis['task'],
): Took | null {
  const perSecond = geometricMean(references.map(({ tps }) => tps ?? 0));
  if (task === null || ratio === null || !(ratio.value > 0) || !(perSecond > 0)) return null;
  const referenceUs = 1e6 / perSecond;
  return { isStart: task === 'ready', us: referenceUs / ratio.value, referenceUs };
}

type Analyzed = Pick<Analysis, 'scenarios' | 'effects' | 'equivalence' | 'task' | 'app'>;

/** A native level of storage shows the cost of Docker. */
export function isWithoutDocker({ pairs }: Effect, scenarios: readonly ScenarioAnalysis[]): boolean {
  const [pair] = pairs;
  const level = scenarios.find(({ id }) => id === pair?.scenarioId);
  return level !== undefined && !isContainerStorage(level.label.storage);
}

/** A finding per factor, Docker as a whole first. Load generators are only tools. */
export function headlineOf(analysis: Analyzed): RunHeadline {
  const { scenarios, effects, app } = analysis;
  // A first look has ratios of what isn't measured yet.
  if (scenarios.every(({ measured, ratio }) => measured === 0 && ratio === null))
    return { kind: 'nothing-measured' };
  const findings = [
    ...dockerFinding(analysis),
    ...FACTORS.filter((factor) => factor !== 'loadGenerator').flatMap((factor) => {
      const own = effects.filter((one) => one.factor === factor);
      const inDocker = own.filter((one) => !isWithoutDocker(one, scenarios));
      const all = inDocker.length > 0 ? inDocker : own;
      const usable = all.filter((one) => isFor(app, one));
      const compared = usable.length > 0 ? usable : all;
      const chosen = tellingEffect(compared);
      return chosen === undefined ? [] : findingOf(chosen, compared, analysis);
    }),
  ];
  if (findings.length > 0) return { kind: 'findings', findings };
  const measured = scenarios.filter((one) => one.measured > 0);
  const [baseline, ...others] = measured.filter(({ isBaseline }) => isBaseline);
  if (baseline === undefined) return { kind: 'no-baseline' };
  const compared = measured.filter(({ isBaseline }) => !isBaseline);
  if (compared.length > 0) return largestDifference(compared, analysis);
  return others.length > 0
    ? { kind: 'onlyBaselines' }
    : { kind: 'onlyBaseline', tps: baseline.tps, isTask: baseline.isTask };
}

/** The preset's container with the same server, pool, and load as the native one. */
function dockerFinding({ scenarios, task }: Analyzed): Finding[] {
  const native = scenarios.find(({ isBaseline, label }) => isBaseline && label.storage === 'native');
  const typical = scenarios.find(
    ({ baselineId, label }) => baselineId === native?.id && isContainerStorage(label.storage),
  );
  if (native === undefined || typical === undefined || typical.ratio === null) return [];
  const { verdict, margin } = typical;
  const ratio = typical.named ?? typical.ratio;
  return [
    {
      kind: kindOf(verdict),
      factor: null,
      of: typical.label,
      against: native.label,
      ratio,
      equivalence: margin,
      unsafe: isFasterUnsafe(unsafeSides([typical], [native]), ratio),
      job: null,
      at: [],
      apart: { bound: mostApart([ratio]), without: [] },
      took: tookOf(
        ratio,
        scenarios.filter(({ id }) => id === native.id),
        task,
      ),
    },
  ];
}

function findingOf(effect: Effect, all: readonly Effect[], { scenarios, task }: Analyzed): Finding[] {
  const labelOf = (id: string | undefined) => scenarios.find((one) => one.id === id)?.label;
  const [pair] = effect.pairs;
  const [of, against] = [labelOf(pair?.scenarioId), labelOf(pair?.referenceId)];
  const { factor, unsafe, dependsOn } = effect;
  const ratio = effect.named ?? effect.ratio;
  if (ratio === null || of === undefined || against === undefined) return [];
  const isNamed = of.server !== null && against.server !== null;
  const at = effect.at.flatMap(({ scenarioId, ratio: own, verdict }) => {
    const label = labelOf(scenarioId);
    return dependsOn === null || own === null || label === undefined
      ? []
      : [{ on: dependsOn, of: label, ratio: own, verdict }];
  });
  return [
    {
      kind: kindOf(effect.verdict),
      factor,
      of,
      against,
      ratio,
      equivalence: effect.margin,
      unsafe: isFasterUnsafe(unsafe, ratio),
      job: factor === 'engine' || (factor === 'server' && isNamed) ? task : null,
      at,
      apart: apartIn(effect, all, labelOf),
      took: effect.took,
    },
  ];
}

/** Choices without an interval, or whose difference costs data, don't count. */
function apartIn(
  effect: Effect,
  all: readonly Effect[],
  labelOf: (id: string | undefined) => ScenarioAnalysis['label'] | undefined,
): Finding['apart'] {
  const isCounted = (one: Effect): boolean =>
    one === effect || (hasInterval(one) && kindOf(one.verdict) !== 'difference');
  const counted = all.filter(isCounted);
  const levels = new Set(counted.map(({ level }) => level));
  return {
    bound: mostApart(
      counted.flatMap(({ ratio, named, others }) => [
        named ?? ratio,
        ...others.flatMap((one) => (levels.has(one.level) ? [one.ratio] : [])),
      ]),
    ),
    without: all.flatMap((one) => (isCounted(one) ? [] : (labelOf(one.pairs[0]?.scenarioId) ?? []))),
  };
}

function kindOf(verdict: Verdict): Finding['kind'] {
  return isDifference(verdict) ? 'difference' : verdict;
}

/** The largest conclusive effect, otherwise the possibly largest; gains that cost data only if alone. */
function tellingEffect(effects: readonly Effect[]): Effect | undefined {
  const measured = effects.filter(({ ratio }) => ratio !== null);
  const known = measured.some(hasInterval) ? measured.filter(hasInterval) : measured;
  const compared = known.filter(
    ({ unsafe, verdict, ratio }) =>
      !(unsafe.level || unsafe.reference) ||
      (kindOf(verdict) === 'difference' && ratio !== null && !isFasterUnsafe(unsafe, ratio)),
  );
  const size = ({ ratio }: Effect): number => Math.abs(Math.log(ratio?.value ?? 1));
  const largest = [...(compared.length === 0 ? known : compared)].sort((a, b) => size(b) - size(a));
  return (
    largest.find(({ verdict }) => kindOf(verdict) === 'difference') ??
    largest.filter(({ verdict }) => verdict === 'inconclusive').sort((a, b) => reachOf(b) - reachOf(a))[0] ??
    largest[0]
  );
}

function reachOf({ ratio }: Effect): number {
  return mostApart([ratio]) ?? 0;
}

/** The largest conclusive slowdown, otherwise the largest gain. */
function largestDifference(compared: readonly ScenarioAnalysis[], analysis: Analyzed): RunHeadline {
  for (const verdict of ['slower', 'faster'] as const) {
    const [first] = compared
      .flatMap(({ id, label, named, verdict: own }) =>
        own === verdict && named !== null ? [{ id, scenario: label, ratio: named }] : [],
      )
      .sort((a, b) => Math.abs(Math.log(b.ratio.value)) - Math.abs(Math.log(a.ratio.value)));
    if (first === undefined) continue;
    const { id, ...difference } = first;
    const { baselineId, server, loadGenerator, connections } = comparisonOf(analysis, id);
    const baseline = analysis.scenarios.find((one) => one.id === baselineId)?.label;
    const said = { server, loadGenerator, connections };
    if (baseline !== undefined) return { kind: 'difference', verdict, baseline, said, ...difference };
  }
  const allSame = compared.every(({ verdict }) => verdict === 'same');
  return { kind: allSame ? 'all-same' : 'inconclusive' };
}

/** The ratio is above 1; null without a pair. */
export function asGain({ level, reference, pairs, ...effect }: Effect) {
  const [pair] = pairs;
  const ratio = effect.named ?? effect.ratio;
  if (pair === undefined || ratio === null) return null;
  const { scenarioId, referenceId } = pair;
  if (ratio.value > 1) {
    return { slower: reference, faster: level, slowerId: referenceId, fasterId: scenarioId, ratio };
  }
  const gain = inverse(ratio);
  return { slower: level, faster: reference, slowerId: scenarioId, fasterId: referenceId, ratio: gain };
}

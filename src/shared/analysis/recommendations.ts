import { ADVICE, type AdviceCode } from './advice.ts';
import { kindsOf } from '../kinds/kind.ts';
import { isInMemory, isKept, losesData, type StorageKind } from '../kinds/storages.ts';
import type { Analysis, Effect, Recommendation, ScenarioAnalysis } from './analysis.ts';
import type { RunState } from '../model/run-state.ts';
import { whyNotContinuable } from '../run/continuing.ts';
import { expectedTrialMs, pausedMs } from '../run/progress.ts';
import { isDifference, type Margin, zonesOf } from '../statistics/claims.ts';
import { canSettle, depthIn, type RatioEstimate } from '../statistics/estimate.ts';
import { studentTQuantile } from '../statistics/student-t.ts';
import { imagesSeen, isEmulated } from '../docker/emulation.ts';
import {
  passportOf,
  type Plan,
  plansOn,
  type ServerConfig,
  configOf,
  lacksOwnOptions,
} from '../model/plan.ts';
import { flushesPerCommit } from './durability.ts';
import { asGain, isFasterUnsafe } from './findings.ts';
import { seenPassport } from './seen-passport.ts';

/** Storage without a named volume; memory is a decision. */
const LEFT: readonly StorageKind[] = ['container-layer', 'anonymous-volume'];
/** File sharing of Docker Desktop that VirtioFS replaces. */
const OLD_FILE_SHARING = new Set(['grpcfuse', 'osxfs']);
/** Share of a transaction's time. */
const COMMITS_DOMINATE = 0.5;
/** Share of a commit's time. */
const FLUSHES_DOMINATE = 0.5;
/** Wait for a CPU quota, relative to the CPU time. */
export const THROTTLED = 0.1;
/** No advice takes longer than a night. */
const MOST_MINUTES = 600;

type Analyzed = Omit<Analysis, 'recommendations' | 'notices'>;

export function recommendationsOf(run: RunState, analysis: Analyzed): Recommendation[] {
  if (analysis.scenarios.every(({ measured }) => measured === 0)) return [];
  const leaving = leaveUnsafe(run, analysis);
  const baseline = storageIdOf(run, analysis.baselineId);
  const isAnyEmulated = plansOn(run.plan).some((plan) =>
    imagesSeen({ ...run, plan }).some((image) => isEmulated(image, passportOf(plan))),
  );
  const found = [
    ...(isAnyEmulated ? [advice('use-native-image')] : []),
    ...(analysis.aaCheck?.outcome === 'failed' ? [advice('rerun-quiet')] : []),
    ...leaving.filter(({ from }) => from === baseline),
    ...analysis.effects
      .flatMap((effect) => adviceOf(effect, run, analysis))
      .sort((a, b) => gainOf(b) - gainOf(a)),
    ...leaving.filter(({ from }) => from !== baseline),
    ...settingAdvice(run, analysis),
    ...moreRounds(run, analysis.effects),
  ];
  // Two levels may lead to the same advice; the larger gain stays.
  return found.filter(
    (one, index) =>
      found.findIndex(
        ({ code, from, level }) => code === one.code && from === one.from && level === one.level,
      ) === index,
  );
}

function advice(code: AdviceCode, more: Partial<Recommendation> = {}): Recommendation {
  return {
    code,
    factor: null,
    level: null,
    from: null,
    pair: null,
    ratio: null,
    minutes: null,
    ...more,
  };
}

function gainOf({ ratio }: Recommendation): number {
  return ratio?.value ?? 0;
}

function storageIdOf({ plan }: RunState, id: string | undefined): string | null {
  return plan.scenarios.find((one) => one.id === id)?.storageId ?? null;
}

/** The gain is included if a named volume is also faster. */
function leaveUnsafe(run: RunState, { scenarios, effects }: Analyzed): Recommendation[] {
  const measured = scenarios.filter((one) => one.measured > 0);
  return LEFT.flatMap((kind) => {
    const own = measured.find(({ label }) => label.storage === kind);
    if (own === undefined) return [];
    const from = storageIdOf(run, own.id) ?? kind;
    const volume = measured.find(
      ({ label, flags }) =>
        label.storage === 'named-volume' && (!isNotDurable({ flags }) || isNotDurable(own)),
    );
    if (volume === undefined) return [advice('keep-safe-storage', { factor: 'storage', from: kind })];
    const level = storageIdOf(run, volume.id);
    const gain = effects.flatMap((effect) => {
      const gain = isDifference(effect.verdict) && effect.factor === 'storage' ? asGain(effect) : null;
      return gain?.slower === from && gain.faster === level ? [gain.ratio] : [];
    });
    const pair = { scenarioId: volume.id, referenceId: own.id };
    return [advice('keep-safe-storage', { factor: 'storage', level, from, pair, ratio: gain[0] ?? null })];
  });
}

function adviceOf(effect: Effect, run: RunState, { scenarios, baselineId }: Analyzed): Recommendation[] {
  const { factor, unsafe } = effect;
  const gain = isDifference(effect.verdict) ? asGain(effect) : null;
  // An average of faster here and slower there describes neither.
  const isMixed = effect.at.some(({ verdict }) => isDifference(verdict) && verdict !== effect.verdict);
  if (gain === null || effect.ratio === null || isMixed || lacksOwnOptions(run.plan)) return [];
  const { slower, faster, slowerId, fasterId, ratio } = gain;
  const kindOf = (id: string): StorageKind | undefined =>
    scenarios.find((one) => one.id === id)?.label.storage;
  const [slow, fast] = [slowerId, fasterId].map(kindOf);
  const ends = factor === 'storage' ? [slow, fast] : [slower, faster];
  const [before, after] = [slowerId, fasterId].map((id) => configOfScenario(run.plan, id)?.settings);
  const { task } = run.plan;
  const isUnsafe = (factor === 'engine' || factor === 'storage') && isFasterUnsafe(unsafe, effect.ratio);
  const code = kindsOf(ADVICE).find((one) => {
    const { change } = ADVICE[one];
    if (change?.factor !== factor) return false;
    const isFor = { any: task !== null, ready: task?.kind === 'ready' };
    return (
      (change.isForTask === undefined ? !isUnsafe : isFor[change.isForTask]) &&
      [change.from, change.to].every((levels, index) => levels?.includes(ends[index] ?? '') ?? true) &&
      (change.settings === undefined ||
        (before !== undefined && after !== undefined && change.settings(before, after)))
    );
  });
  if (code !== undefined)
    return [
      advice(code, {
        factor,
        level: faster,
        from: slower,
        pair: { scenarioId: fasterId, referenceId: slowerId },
        ratio,
      }),
    ];
  if (factor !== 'storage' || !isUnsafe || slow === undefined || fast === undefined) return [];
  // Measuring from memory was a decision.
  const isChosen = isInMemory(fast) && kindOf(baselineId) === fast;
  if (isChosen || !isKept(slow) || !(isInMemory(fast) || isKept(fast))) return [];
  const pair = { scenarioId: slowerId, referenceId: fasterId };
  return [advice('keep-safe-storage', { factor, level: slower, from: faster, pair })];
}

function configOfScenario(plan: Plan, id: string): ServerConfig | undefined {
  const scenario = plan.scenarios.find((one) => one.id === id);
  return scenario && configOf(plan, scenario);
}

function settingAdvice(run: RunState, { scenarios, effects }: Analyzed): Recommendation[] {
  const { plan } = run;
  const counted = scenarios.filter(({ measured }) => measured > 0);
  const { kind, fileSharing } = seenPassport(run).runtime;
  const durable = counted.filter(({ label }) => !losesData(label.storage));
  return [
    ...(kind === 'docker-desktop' &&
    OLD_FILE_SHARING.has(fileSharing) &&
    effects.some((effect) => isSharingSlow(effect, scenarios))
      ? [advice('use-virtiofs', { factor: 'storage' })]
      : []),
    ...(moreCpus(plan) !== null && counted.some((one) => isThrottled(one, scenarios))
      ? [advice('raise-cpu-limit')]
      : []),
    ...(waitsForCommits(durable, plan) ? [advice('group-writes')] : []),
    ...(durable.length > 0 && durable.every(isNotDurable) ? [advice('not-durable')] : []),
  ];
}

/** Whether only the slower of scenario and baseline waited for its quota. */
function isThrottled(one: ScenarioAnalysis, all: readonly ScenarioAnalysis[]): boolean {
  const baseline = all.find(({ id }) => id === one.baselineId);
  if (!isDifference(one.verdict)) return false;
  const [slow, fast] = one.verdict === 'slower' ? [one, baseline] : [baseline, one];
  const share = slow?.figures.throttledShare ?? 0;
  return share >= THROTTLED && share > 2 * (fast?.figures.throttledShare ?? 0);
}

function isSharingSlow(effect: Effect, scenarios: readonly ScenarioAnalysis[]): boolean {
  const gain = effect.factor === 'storage' && isDifference(effect.verdict) ? asGain(effect) : null;
  if (gain === null || effect.ratio === null || isFasterUnsafe(effect.unsafe, effect.ratio)) return false;
  return scenarios.find(({ id }) => id === gain.slowerId)?.label.storage === 'bind-mount';
}

/** Null if another limit was measured, whose effect shows the gain. */
export function moreCpus({ configs, engines }: Pick<Plan, 'configs' | 'engines'>): number | null {
  const [first, ...others] = new Set(configs.map(({ limits }) => limits.cpus));
  if (first === undefined || first === null || others.length > 0) return null;
  const more = Math.min(2 * first, engines[0].passport.runtime.cpus);
  return more > first ? more : null;
}

/** Whether commits take most of a transaction everywhere, and flushes most of a commit. */
function waitsForCommits(durable: readonly ScenarioAnalysis[], plan: Plan): boolean {
  const flushes = durable.every(({ id, flags, figures: { flushUs, statements } }) => {
    if (isNotDurable({ flags }) || statements.commit === undefined) return true;
    const settings = configOfScenario(plan, id)?.settings;
    if (flushUs === null || settings?.flushLogAtTrxCommit !== 1) return false;
    return flushesPerCommit({ settings }) * flushUs >= FLUSHES_DOMINATE * statements.commit.meanUs;
  });
  return flushes && leastCommitShare(durable) > COMMITS_DOMINATE;
}

function isNotDurable({ flags }: Pick<ScenarioAnalysis, 'flags'>): boolean {
  return flags.includes('not-durable');
}

/** 0 if unknown. Storage that loses data is skipped: its commits may not wait. */
export function leastCommitShare(scenarios: readonly ScenarioAnalysis[]): number {
  const shares = scenarios.flatMap((one): number[] => {
    const { commit } = one.figures.statements;
    if (commit === undefined || losesData(one.label.storage) || isNotDurable(one)) return [];
    const all = Object.values(one.figures.statements).reduce(
      (sum, { each, meanUs }) => sum + each * meanUs,
      0,
    );
    return all === 0 ? [] : [(commit.each * commit.meanUs) / all];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}

function moreRounds(run: RunState, effects: readonly Effect[]): Recommendation[] {
  // Missing measurements come first.
  const open =
    whyNotContinuable(run) === undefined
      ? []
      : effects.filter((one) => one.verdict === 'inconclusive' && canSettle(one));
  if (open.length === 0) return [];
  return [
    advice('run-until-conclusive', {
      factor: open.length === 1 ? (open[0]?.factor ?? null) : null,
      minutes: minutesFor(open, run),
    }),
  ];
}

/** Null if verdicts would take too long. */
export function minutesFor(
  open: readonly Parameters<typeof moreSamplesFor>[0][],
  run: RunState,
): number | null {
  const ms = open.map((one) => moreSamplesFor(one) * expectedSampleMs(run, one.ratio?.samples ?? 0));
  const minutes = Math.max(1, Math.ceil(Math.max(...ms) / 60_000));
  return minutes > MOST_MINUTES ? null : minutes;
}

/** Samples until the interval lies in one zone or outside of the other, if the noise stays. */
export function moreSamplesFor(
  { ratio, margin }: { ratio: RatioEstimate | null; margin: Margin },
  levelAfter: (samples: number) => number = () => 0.05,
  most = 1000,
): number {
  const { standardError = null, degrees = 0, samples = 1, pairedRounds = 1, value = 1 } = ratio ?? {};
  // A guess until there is an interval.
  if (standardError === null) return 3;
  const log = Math.log(value);
  const { same, different } = zonesOf(margin);
  const target = Math.max(depthIn(same, log), -depthIn(different, log));
  for (let more = 1; more <= most; more += 1) {
    const error = standardError * Math.sqrt(samples / (samples + more));
    const free = degrees + (more * pairedRounds) / samples;
    if (studentTQuantile(1 - levelAfter(samples + more) / 2, free) * error < target) return more;
  }
  return Infinity;
}

/** Duration of the next pass or round after `samples` of them. */
export function expectedSampleMs(run: RunState, samples: number): number {
  const { plan, trials } = run;
  if (plan.schedule.sliceSeconds === undefined)
    return expectedTrialMs(run) * (plan.rounds.at(-1)?.length ?? 1);
  const began = Math.min(...trials.flatMap(({ startedAt }) => startedAt ?? []));
  const ended = Math.max(...trials.flatMap(({ finishedAt }) => finishedAt ?? []));
  return samples === 0
    ? plan.schedule.sliceSeconds * 1000 * plan.scenarios.length
    : (ended - began - pausedMs(run, began, ended)) / samples;
}

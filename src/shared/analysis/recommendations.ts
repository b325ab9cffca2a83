import { losesData } from '../kinds/storages.ts';
import type {
  AdviceCost,
  Analysis,
  Effect,
  Recommendation,
  RecommendationCode,
  ScenarioAnalysis,
} from '../model/analysis.ts';
import { type Factor, FACTORS } from '../model/names.ts';
import type { RunOutline } from '../model/run-state.ts';
import type { PathKind } from '../kinds/paths.ts';
import { whatIsLeft } from '../run/continuing.ts';
import { expectedTrialMs } from '../run/progress.ts';
import { studentTQuantile } from '../statistics/student-t.ts';
import { isEmulated } from '../docker/emulation.ts';
import { imagesOf, type Plan } from '../model/plan.ts';
import { asCost, inverse, isWithoutDocker } from './findings.ts';

/** What to use instead of a slower network path. */
const PATH_ADVICE: Partial<Record<PathKind, { code: RecommendationCode; costs: AdviceCost }>> = {
  'user-bridge': { code: 'connect-over-bridge', costs: 'convenience' },
  'host-network': { code: 'use-host-network', costs: 'isolation' },
  'shared-netns': { code: 'share-network', costs: 'isolation' },
  'unix-socket': { code: 'use-socket', costs: 'convenience' },
};
/** Storage types that a named volume can replace. */
const REPLACEABLE = new Set(['bind-mount', 'volume-options', 'data-container', 'anonymous-volume']);
/** File sharing of Docker Desktop that VirtioFS replaces. */
const OLD_FILE_SHARING = new Set(['grpcfuse', 'osxfs']);
/** Above this share of a transaction's time. */
const COMMITS_DOMINATE = 0.5;
/** File sharing that a synchronized file share replaces: not on WSL 2, whose sharing is unknown. */
const SYNCHRONIZABLE = new Set([...OLD_FILE_SHARING, 'virtiofs']);
/** Nothing that takes longer than a night is advised. */
const MOST_MINUTES = 600;

type Analyzed = Omit<Analysis, 'recommendations' | 'notices'>;

/** What to change, what it gains, and what it costs; the most valuable first, then how to learn more. */
export function recommendationsOf(run: RunOutline, analysis: Analyzed): Recommendation[] {
  if (analysis.scenarios.every(({ measured }) => measured === 0)) return [];
  const isAnyEmulated = imagesOf(run.plan).some((image) => isEmulated(image, run.plan.passport));
  const found = [
    ...(isAnyEmulated ? [advice('use-native-image')] : []),
    ...(analysis.aaCheck?.outcome === 'failed' ? [advice('rerun-quiet', { costs: 'time' })] : []),
    ...analysis.effects.flatMap((effect) => adviceOf(effect, analysis)).sort((a, b) => gainOf(b) - gainOf(a)),
    ...settingAdvice(run, analysis),
    ...moreRounds(run, analysis.effects),
    ...FACTORS.flatMap((factor) => nothingToChange(factor, analysis)),
  ];
  // Two levels to leave have the same way out; the larger gain says it.
  return found.filter(
    (one, index) =>
      found.findIndex(
        ({ code, from, level }) => code === one.code && from === one.from && level === one.level,
      ) === index,
  );
}

function advice(code: RecommendationCode, more: Partial<Recommendation> = {}): Recommendation {
  return {
    code,
    factor: null,
    level: null,
    from: null,
    pair: null,
    ratio: null,
    costs: null,
    minutes: null,
    ...more,
  };
}

function gainOf({ ratio, code }: Recommendation): number {
  return code === 'keep-safe-storage' ? 0 : (ratio?.value ?? 1);
}

function adviceOf(effect: Effect, { scenarios }: Analyzed): Recommendation[] {
  const { factor, verdict, unsafe } = effect;
  const cost = asCost(effect);
  if (cost === null || (verdict !== 'slower' && verdict !== 'faster')) return [];
  const { slower, faster, slowerId, fasterId, ratio } = cost;
  const change = (code: RecommendationCode, costs: AdviceCost | null): Recommendation[] => [
    advice(code, {
      factor,
      level: faster,
      from: slower,
      pair: { scenarioId: fasterId, referenceId: slowerId },
      ratio: inverse(ratio),
      costs,
    }),
  ];
  if (factor === 'storage') {
    if (unsafe && verdict === 'faster') return change('keep-safe-storage', 'durability');
    const [from, to] = [slowerId, fasterId].map(
      (id) => scenarios.find((one) => one.id === id)?.label.storage,
    );
    if (from === 'nfs' && to !== undefined && !losesData(to)) return change('leave-nfs', 'convenience');
    if (from === undefined || !REPLACEABLE.has(from) || to !== 'named-volume') return [];
    return change('use-named-volume', 'convenience');
  }
  if (factor === 'path') {
    if (slower === 'overlay' || slower === 'ingress') return change('leave-overlay', 'convenience');
    const known = PATH_ADVICE[faster as PathKind];
    return known !== undefined && slower === 'published-port' ? change(known.code, known.costs) : [];
  }
  return factor === 'bufferPool' ? change('enlarge-buffer-pool', 'memory') : [];
}

/** What the flags and causes of scenarios, and the engine's settings, ask for. */
function settingAdvice({ plan }: RunOutline, { scenarios, effects }: Analyzed): Recommendation[] {
  const counted = scenarios.filter(({ measured }) => measured > 0);
  const { kind, fileSharing, synchronizedShares = 0 } = plan.passport.runtime;
  const isShareSlow =
    kind === 'docker-desktop' &&
    effects.some(
      ({ factor, level, verdict }) => factor === 'storage' && level === 'bind-mount' && verdict === 'slower',
    );
  return [
    ...(isShareSlow && OLD_FILE_SHARING.has(fileSharing)
      ? [advice('use-virtiofs', { factor: 'storage', costs: 'convenience' })]
      : []),
    ...(isShareSlow && SYNCHRONIZABLE.has(fileSharing) && synchronizedShares === 0
      ? [advice('synchronize-folder', { factor: 'storage', costs: 'convenience' })]
      : []),
    ...(counted.some(({ why }) => why?.cause === 'throttled')
      ? [advice('raise-cpu-limit', { costs: 'convenience' })]
      : []),
    ...(waitsForCommits(counted, plan) ? [advice('group-writes', { costs: 'convenience' })] : []),
    ...(counted.length > 0 && counted.every(({ flags }) => flags.includes('not-durable'))
      ? [advice('not-durable', { costs: 'durability' })]
      : []),
    ...(counted.some(
      ({ flags, loadGenerator }) => flags.includes('client-limited') && loadGenerator === 'node',
    )
      ? [advice('other-load-generator', { costs: 'time' })]
      : []),
  ];
}

/** Whether commits take most of a transaction's time everywhere, and each one flushes. */
function waitsForCommits(scenarios: readonly ScenarioAnalysis[], { setups }: Plan): boolean {
  const flushes = setups.every(({ settings }) => settings.flushLogAtTrxCommit === 1);
  return flushes && leastCommitShare(scenarios) > COMMITS_DOMINATE;
}

/**
 * The part of a transaction's time that its commit takes, 0…1, where it is least; 0 if unknown. Storage types that
 * lose data don't count: their commits may wait for nothing.
 */
export function leastCommitShare(scenarios: readonly ScenarioAnalysis[]): number {
  const shares = scenarios.flatMap(({ label, flags, figures }): number[] => {
    const { commit } = figures.statements;
    if (commit === undefined || losesData(label.storage) || flags.includes('not-durable')) return [];
    const all = Object.values(figures.statements).reduce((sum, { each, meanUs }) => sum + each * meanUs, 0);
    return all === 0 ? [] : [(commit.each * commit.meanUs) / all];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/** After a quick look the full run; otherwise the rounds that the least certain effect needs. */
function moreRounds(run: RunOutline, effects: readonly Effect[]): Recommendation[] {
  const { plan } = run;
  if (plan.later !== null) {
    const minutes = Math.ceil(whatIsLeft(run).leftMs / 60_000);
    return [advice('full-run', { costs: 'time', minutes: minutes > MOST_MINUTES ? null : minutes })];
  }
  const open = effects.filter(({ verdict, ratio }) => verdict === 'inconclusive' && ratio !== null);
  if (open.length === 0) return [];
  const rounds = Math.max(...open.map((effect) => moreRoundsFor(effect, plan.equivalence)));
  const trials = plan.rounds.at(-1)?.length ?? plan.scenarios.length;
  const minutes = Math.max(1, Math.ceil((rounds * trials * expectedTrialMs(run)) / 60_000));
  return [
    advice('run-until-conclusive', {
      factor: open.length === 1 ? (open[0]?.factor ?? null) : null,
      costs: 'time',
      minutes: minutes > MOST_MINUTES ? null : minutes,
    }),
  ];
}

/** Rounds until the interval excludes 1 or lies in the zone, whichever the estimate is nearer to, if the noise stays. */
export function moreRoundsFor({ ratio }: Pick<Effect, 'ratio'>, equivalence: number, alpha = 0.05): number {
  const { standardError = null, pairedRounds = 1, value = 1 } = ratio ?? {};
  // A guess until there is an interval.
  if (standardError === null) return 3;
  const log = Math.abs(Math.log(value));
  const target = Math.max(log, Math.log(1 + equivalence) - log);
  const noise = standardError * Math.sqrt(pairedRounds);
  for (let rounds = pairedRounds + 1; rounds <= 1000; rounds += 1) {
    if ((studentTQuantile(1 - alpha / 2, rounds - 1) * noise) / Math.sqrt(rounds) < target)
      return rounds - pairedRounds;
  }
  return 1000;
}

function nothingToChange(factor: Factor, { effects, scenarios }: Analyzed): Recommendation[] {
  const own = effects.filter(
    (one) =>
      one.factor === factor && (!one.unsafe || one.verdict === 'slower') && !isWithoutDocker(one, scenarios),
  );
  if (own.length === 0 || factor === 'loadGenerator') return [];
  const isBest = own.every(({ verdict }) => verdict === 'same' || verdict === 'slower');
  const hasAdvice = own.some((one) => one.verdict === 'slower') && factor === 'storage';
  return isBest && !hasAdvice ? [advice('nothing-to-change', { factor })] : [];
}

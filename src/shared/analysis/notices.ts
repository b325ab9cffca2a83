import { emulationNotices, imagesSeen } from '../docker/emulation.ts';
import { listOf, msg, type Message, type Said } from '../message.ts';
import type { Analysis, ScenarioAnalysis } from './analysis.ts';
import { keyWithout } from '../model/factors.ts';
import { type Notice, type Plan, passportOf, plansOn } from '../model/plan.ts';
import { type Amount, tps } from '../model/measurements.ts';
import type { RunState, TrialState } from '../model/run-state.ts';
import { errorMessage } from '../errors.ts';
import { failedTrials } from '../run/failures.ts';
import { continuedAt, isOpenEnded, isSkipped } from '../run/progress.ts';
import { ENOUGH_SAMPLES, equivalenceZone, type RatioEstimate } from '../statistics/estimate.ts';
import { pairedRatio } from '../statistics/paired-ratio.ts';
import {
  formatLatency,
  formatNumber,
  formatPercent,
  formatRate,
  formatRatio,
  intervalText,
} from '../units.ts';
import { taskNotices } from './task-notices.ts';
import { hostNotices } from './host-notices.ts';
import { serverNotices } from './server-notices.ts';
import { findFlags, type FoundFlag } from './flags.ts';
import { grouped } from './grouped.ts';

const RETRIED_LIMIT = 0.01;

export function analysisNotices(
  state: RunState,
  analysis: Omit<Analysis, 'notices' | 'recommendations'>,
): Notice[] {
  const trialsOf = grouped(state.trials, ({ scenarioId }) => [scenarioId]);
  return distinct([
    ...aaNotices(analysis),
    ...plansOn(state.plan).flatMap((plan) =>
      emulationNotices(imagesSeen({ ...state, plan }), passportOf(plan)),
    ),
    ...state.plan.notices,
    ...state.notices,
    ...runNotices(state),
    ...serverNotices(state),
    ...(state.status === 'finished'
      ? [...roundNotices(analysis), ...togetherNotices(analysis), ...stopNotices(state)]
      : []),
    ...taskNotices(state),
    ...hostNotices(state.trials),
    ...loadGeneratorNotices(state.plan, analysis),
    ...analysis.scenarios.flatMap((scenario) =>
      scenarioNotices(scenario, analysis, trialsOf.get(scenario.id) ?? []),
    ),
  ]);
}

function distinct(notices: Notice[]): Notice[] {
  const seen = new Set<string>();
  return notices.filter((notice) => {
    const key = JSON.stringify([notice.code, notice.message, notice.scenarioId, notice.trialId]);
    return !seen.has(key) && seen.add(key);
  });
}

/** "95% interval 0.97–1.02"; "no interval" without one. */
export function ratioInterval(ratio: Pick<RatioEstimate, 'low' | 'high' | 'confidence'>): Message {
  if (ratio.low === null || ratio.high === null) return msg('interval.none');
  if (ratio.low < 0.1 && ratio.high > 10) {
    return msg('interval.wide', { confidence: formatPercent(ratio.confidence) });
  }
  return msg('interval.ratio', {
    confidence: formatPercent(ratio.confidence),
    interval: intervalText(ratio),
  });
}

function timesMeasured({ samples, pairedRounds }: RatioEstimate): Message {
  return samples > pairedRounds ? msg('passes', { count: samples }) : roundsOf(pairedRounds);
}

export function roundsOf(count: number): Message {
  return msg('rounds', { count });
}

function aaNotices({ aaCheck, confidence }: Pick<Analysis, 'aaCheck' | 'confidence'>): Notice[] {
  if (aaCheck?.outcome !== 'failed') return [];
  const { ratio } = aaCheck;
  const message = msg('notice.aaCheck', {
    percent: formatPercent(Math.abs(ratio.value - 1)),
    interval: ratioInterval(ratio),
    chance: formatPercent(1 - confidence),
  });
  return [{ code: 'AA_CHECK', message }];
}

function runNotices(state: RunState): Notice[] {
  const { outcome, trials } = state;
  const notices: Notice[] = [];
  const add = (code: string, message: Message): number => notices.push({ code, message });
  const measured = count(trials, ({ totals }) => totals !== null);
  const early = (how: 'stopped' | 'ended'): Message =>
    isOpenEnded(state)
      ? msg(`notice.${how}Until`, { count: measured })
      : msg(`notice.${how}Early`, { measured, planned: trials.length });
  if (outcome === 'stopped') add('STOPPED_EARLY', early('stopped'));
  if (outcome === 'failed') add('ENDED_EARLY', early('ended'));
  const failed = failedTrials(state);
  if (failed.length > 0) {
    const { length } = failed;
    add(
      'TRIALS_FAILED',
      msg('notice.trialsFailed', { count: length, all: measured + length, reasons: reasonsOf(failed) }),
    );
  }
  const skipped = count(trials, isSkipped);
  if (skipped > 0) add('TRIALS_SKIPPED', msg('notice.trialsSkipped', { count: skipped }));
  const resumed = continuedAt(state).length;
  if (resumed > 0) add('RUN_CONTINUED', msg('notice.continued', { count: resumed + 1 }));
  return notices;
}

function count<T>(items: readonly T[], matches: (item: T) => boolean): number {
  return items.filter(matches).length;
}

function reasonsOf(failed: readonly Pick<TrialState, 'error'>[]): Said {
  const first = new Map(failed.flatMap(({ error }) => (error === null ? [] : [[error.code, error]])));
  const sentences = [...first.values()].map((error) =>
    msg('notice.failedBecause', {
      count: count(failed, (one) => one.error?.code === error.code),
      reason: errorMessage(error),
    }),
  );
  return listOf(sentences, 'list.sentences');
}

/** "2 × 1213, 1 × 1205" */
function tally(counts: Iterable<[code: string, count: number]>) {
  return listOf(
    [...counts].map(([code, count]) => `${count} × ${code}`),
    'list.words',
  );
}

function roundNotices({ scenarios }: Pick<Analysis, 'scenarios'>): Notice[] {
  const compared = scenarios.flatMap(({ id, isBaseline, ratio }) =>
    isBaseline || ratio === null ? [] : [{ id, ratio }],
  );
  const few = compared.filter(({ ratio }) => ratio.samples < ENOUGH_SAMPLES);
  const notice = (ratio: RatioEstimate): Notice => ({
    code: 'FEW_ROUNDS',
    message: msg('notice.fewRounds', { rounds: timesMeasured(ratio) }),
  });
  const [most] = [...few].sort((a, b) => b.ratio.samples - a.ratio.samples);
  if (most !== undefined && few.length === compared.length) return [notice(most.ratio)];
  return few.map(({ id, ratio }) => ({ ...notice(ratio), scenarioId: id }));
}

/** Verdicts of own intervals that all comparisons together leave open. */
function togetherNotices({ scenarios, comparisons }: Pick<Analysis, 'scenarios' | 'comparisons'>): Notice[] {
  return scenarios.flatMap(({ id, verdict, verdictAlone }): Notice[] => {
    if (verdict !== 'inconclusive' || verdictAlone === 'inconclusive') return [];
    const alone = msg(`verdict.${verdictAlone}`);
    const message = msg('notice.openBesideOthers', { alone, count: comparisons });
    return [{ code: 'OPEN_BESIDE_OTHERS', message, scenarioId: id }];
  });
}

function stopNotices({ plan, roundsEnded, outcome }: RunState): Notice[] {
  const { untilConclusive } = plan.schedule;
  if (untilConclusive === undefined || (roundsEnded === null && outcome !== 'completed')) return [];
  const message = msg(`notice.roundsEnded.${roundsEnded ?? 'all'}`, {
    rounds: roundsOf(plan.rounds.length),
    count: untilConclusive.budgetMinutes,
  });
  const code = roundsEnded === null ? 'ROUNDS_USED_UP' : `ROUNDS_ENDED_${roundsEnded.toUpperCase()}`;
  return [{ code, message }];
}

function scenarioNotices(
  scenario: ScenarioAnalysis,
  { confidence, equivalence }: Pick<Analysis, 'confidence' | 'equivalence'>,
  trials: TrialState[],
): Notice[] {
  const scenarioId = scenario.id;
  const own = trials.filter(({ totals }) => totals !== null);
  const notices: Notice[] = findFlags(own, scenario.durability).map(flagNotice);
  const add = (code: string, message: Message): number => notices.push({ code, message });
  const interrupted = own.filter(({ totals }) => (totals?.excludedMs ?? 0) > 0);
  if (interrupted.length > 0) {
    const excludedMs = interrupted.reduce((sum, { totals }) => sum + (totals?.excludedMs ?? 0), 0);
    const seconds = formatNumber(excludedMs / 1000, 0);
    add('INTERRUPTED', msg('notice.interrupted', { seconds, count: interrupted.length }));
  }
  notices.push(...trendNotices(own, confidence, equivalence));
  const parts = own.flatMap(({ slices, totals }): { transactions: number; awake?: number | undefined }[] =>
    slices.length === 0 && totals !== null ? [totals] : slices,
  );
  const idle = parts.filter(({ transactions }) => transactions === 0).length;
  if (idle > 0) add('NO_TRANSACTIONS', msg('notice.noTransactions', { count: idle, all: parts.length }));
  const slices = own.flatMap((trial) => trial.slices);
  const stalled = stalledSlices(slices);
  if (stalled > 1) add('STALLS', msg('notice.stalls', { count: stalled, all: slices.length }));
  const beside = parts.filter(({ awake }) => awake !== undefined).length;
  if (beside > 0) add('SLICES_BESIDE', msg('notice.slicesBeside', { count: beside, all: parts.length }));
  const errors = Object.entries(scenario.errors);
  const retried = errors.reduce((sum, [, count]) => sum + count, 0);
  const share = retried / Math.max(1, retried + scenario.transactions);
  if (share > RETRIED_LIMIT) {
    const percent = formatPercent(share);
    add('TRANSACTIONS_RETRIED', msg('notice.transactionsRetried', { percent, codes: tally(errors) }));
  }
  return notices.map((notice) => ({ ...notice, scenarioId }));
}

/** The last third of trials against the first, paired. */
function trendNotices(trials: TrialState[], confidence: number, equivalence: number): Notice[] {
  const thirds = trials.flatMap(({ evidence }) => evidence?.trend ?? []);
  if (thirds.length < ENOUGH_SAMPLES) return [];
  const ratio = pairedRatio(
    thirds.map(({ first, last }) => ({ scenario: last, baseline: first })),
    confidence,
  );
  if (ratio === null || ratio.low === null || ratio.high === null) return [];
  const [least, most] = equivalenceZone(equivalence);
  const params = { interval: ratioInterval(ratio), ratio: formatRatio(ratio.value) };
  if (ratio.low > 1 && ratio.value > most) {
    return [{ code: 'STILL_WARMING', message: msg('notice.stillWarming', params) }];
  }
  return ratio.high < 1 && ratio.value < least
    ? [{ code: 'FADING', message: msg('notice.fading', params) }]
    : [];
}

/** Slices with less than half of the median speed; 0 if more than a fifth are that slow. */
function stalledSlices(slices: readonly Amount[]): number {
  const rates = slices.map(tps).sort((a, b) => a - b);
  const median = rates[Math.floor(rates.length / 2)] ?? 0;
  const stalled = rates.filter((rate) => rate < median / 2).length;
  return stalled <= rates.length / 5 ? stalled : 0;
}

function flagNotice(found: FoundFlag): Notice {
  return found.flag === 'not-durable'
    ? {
        code: 'NOT_DURABLE',
        message: msg('notice.notDurable', { reason: msg(`durability.${found.reason}`) }),
      }
    : { code: 'CLIENT_LIMITED', trialId: found.trialId, message: clientMessage(found) };
}

function clientMessage(found: Exclude<FoundFlag, { flag: 'not-durable' }>): Message {
  const percent = (share: number): string => formatNumber(100 * share, 0);
  if ('cpuShare' in found) return msg('notice.clientLimitedCpu', { percent: percent(found.cpuShare) });
  if ('waitShare' in found) return msg('notice.clientLimitedWait', { percent: percent(found.waitShare) });
  if ('garbageShare' in found) {
    return msg('notice.clientLimitedGarbage', { percent: percent(found.garbageShare) });
  }
  return msg('notice.clientLimitedDelay', {
    delay: formatLatency(found.loopDelayUs),
    latency: formatLatency(found.medianUs),
  });
}

function loadGeneratorNotices(
  plan: Pick<Plan, 'scenarios'>,
  analysis: Omit<Analysis, 'notices' | 'recommendations'>,
): Notice[] {
  const byId = new Map(analysis.scenarios.map((one) => [one.id, one]));
  const counted = plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat);
  return counted.flatMap((scenario): Notice[] => {
    if (scenario.loadGenerator !== 'sysbench') return [];
    const twin = counted.find(
      (other) =>
        other.loadGenerator === 'builtin' &&
        keyWithout(other, 'loadGenerator') === keyWithout(scenario, 'loadGenerator'),
    );
    const [sysbench, node] = [byId.get(scenario.id), twin && byId.get(twin.id)];
    if (sysbench === undefined || node === undefined) return [];
    const message = disagreement(sysbench, node, analysis);
    return message === undefined
      ? []
      : [{ code: 'LOAD_GENERATORS_DISAGREE', scenarioId: scenario.id, message }];
  });
}

function disagreement(
  sysbench: ScenarioAnalysis,
  node: ScenarioAnalysis,
  { confidence, equivalence }: Pick<Analysis, 'confidence' | 'equivalence'>,
): Message | undefined {
  const rates = new Map(node.rounds.map(({ round, tps }) => [round, tps]));
  const pairs = sysbench.rounds.flatMap(({ round, tps }) => {
    const baseline = rates.get(round);
    return baseline === undefined ? [] : [{ scenario: tps, baseline }];
  });
  const ratio = pairedRatio(pairs, confidence);
  if (ratio === null || ratio.low === null || ratio.high === null) return undefined;
  const [least, most] = equivalenceZone(equivalence);
  if (ratio.high >= least && ratio.low <= most) return undefined;
  return msg('notice.loadGeneratorsDisagree', {
    sysbench: formatRate(sysbench.tps),
    node: formatRate(node.tps),
    ratio: formatRatio(ratio.value),
    interval: ratioInterval(ratio),
    rounds: timesMeasured(ratio),
  });
}

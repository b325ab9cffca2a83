import { messageText } from './message-text.ts';
import { hostNotices } from './host-notices.ts';
import { createTranslator, type Translate } from './i18n.ts';
import type { Language } from '../model/settings.ts';
import { findMarks, type FoundMark } from '../analysis/marks.ts';
import type { Analysis, ScenarioAnalysis } from '../model/analysis.ts';
import { type NoticeText, type Plan, type Scenario, scenarioKey } from '../model/plan.ts';
import type { RunOutline, TrialOutline } from '../model/run-state.ts';
import { splitRounds } from '../run/continuing.ts';
import { continuedAt, isSkipped } from '../run/pauses.ts';
import { equivalenceZone, pairedRatio } from '../statistics/paired-ratio.ts';
import { formatLatency, formatNumber, formatRate, formatRatio } from './units.ts';
import { percentText, ratioIntervalText, roundsText } from './wording.ts';

/** Fewer paired rounds than this get a remark. */
const ENOUGH_ROUNDS = 3;
/** Share of transactions that had to be run again from which it is said. */
const RETRIED_LIMIT = 0.01;

/**
 * Every remark that belongs to the numbers, the gravest first: that the machine does not tie with itself comes before
 * any verdict, then what the plan and the run said, then what the numbers show.
 */
export function analysisNotices(state: RunOutline, analysis: Analysis, language: Language): NoticeText[] {
  const t = createTranslator(language);
  return distinct([
    ...noiseNotices(analysis, t),
    ...[...state.plan.notices, ...state.notices].map((notice) => ({
      ...notice,
      message: messageText(notice.message, t),
    })),
    ...rateNotices(state, t),
    ...endNotices(state, t),
    ...failureNotices(state, t),
    ...skipNotices(state, t),
    ...continuedNotices(state, t),
    ...(state.status === 'finished'
      ? [
          ...roundNotices(analysis, t),
          ...togetherNotices(analysis, t),
          ...settlingNotices(state, analysis, t),
        ]
      : []),
    ...hostNotices(state.trials, t),
    ...driverNotices(state.plan, analysis, t),
    ...analysis.scenarios.flatMap((scenario) => scenarioNotices(scenario, analysis, state.trials, t)),
  ]);
}

/** The run state begins with its plan's notices, so they would come twice. */
function distinct(notices: NoticeText[]): NoticeText[] {
  const seen = new Set<string>();
  return notices.filter((notice) => {
    const key = JSON.stringify([notice.code, notice.message, notice.scenarioId, notice.trialId]);
    return !seen.has(key) && seen.add(key);
  });
}

function noiseNotices({ noiseFloor, confidence }: Analysis, t: Translate): NoticeText[] {
  if (noiseFloor?.outcome !== 'untied') return [];
  const { ratio } = noiseFloor;
  const message = t('report:notice.NOISE_FLOOR', {
    percent: percentText(Math.abs(ratio.value - 1), t),
    interval: ratioIntervalText(ratio, t),
    chance: percentText(1 - confidence, t),
  });
  return [{ code: 'NOISE_FLOOR', message }];
}

function rateNotices({ plan }: RunOutline, t: Translate): NoticeText[] {
  if (plan.rate === null) return [];
  const rate = formatNumber(plan.rate, Number.isInteger(plan.rate) ? 0 : 1, t.language);
  return [{ code: 'FIXED_RATE', message: t('report:notice.FIXED_RATE', { rate }) }];
}

function endNotices({ outcome, trials }: RunOutline, t: Translate): NoticeText[] {
  if (outcome !== 'stopped' && outcome !== 'failed') return [];
  const code = outcome === 'stopped' ? 'STOPPED_EARLY' : 'ENDED_EARLY';
  const measured = trials.filter(({ status }) => status === 'measured').length;
  return [{ code, message: t(`report:notice.${code}`, { measured, planned: trials.length }) }];
}

function failureNotices({ trials }: RunOutline, t: Translate): NoticeText[] {
  const failed = trials.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [];
  const byCode = new Map<string, number>();
  for (const { error } of failed) {
    const code = error?.code ?? 'INTERNAL';
    byCode.set(code, (byCode.get(code) ?? 0) + 1);
  }
  const codes = [...byCode].map(([code, count]) => `${count} × ${code}`).join(t('report:list.items'));
  return [
    { code: 'TRIALS_FAILED', message: t('report:notice.TRIALS_FAILED', { count: failed.length, codes }) },
  ];
}

function skipNotices({ trials }: RunOutline, t: Translate): NoticeText[] {
  const count = trials.filter(isSkipped).length;
  if (count === 0) return [];
  return [{ code: 'TRIALS_SKIPPED', message: t('report:notice.TRIALS_SKIPPED', { count }) }];
}

/** That a run was measured in several sittings, and which rounds have numbers of more than one. */
function continuedNotices(state: RunOutline, t: Translate): NoticeText[] {
  const count = continuedAt(state).length;
  if (count === 0) return [];
  const split = splitRounds(state);
  const message = [
    t('report:notice.RUN_CONTINUED.sittings', { count: count + 1 }),
    split.length === 0
      ? t('report:notice.RUN_CONTINUED.whole')
      : t('report:notice.RUN_CONTINUED.split', {
          count: split.length,
          rounds: split.join(t('report:list.items')),
        }),
  ].join(t('report:list.sentences'));
  return [{ code: 'RUN_CONTINUED', message }];
}

/** Once for the run when it concerns every scenario, otherwise with those that it concerns. */
function roundNotices({ scenarios }: Analysis, t: Translate): NoticeText[] {
  const compared = scenarios.flatMap(({ id, isBaseline, ratio }) =>
    isBaseline || ratio === null ? [] : [{ id, rounds: ratio.pairedRounds }],
  );
  const few = compared.filter(({ rounds }) => rounds < ENOUGH_ROUNDS);
  const message = (rounds: number): string =>
    t('report:notice.FEW_ROUNDS', { rounds: roundsText(rounds, t) });
  if (few.length > 0 && few.length === compared.length) {
    return [{ code: 'FEW_ROUNDS', message: message(Math.max(...few.map(({ rounds }) => rounds))) }];
  }
  return few.map(({ id, rounds }) => ({ code: 'FEW_ROUNDS', message: message(rounds), scenarioId: id }));
}

/** What its interval alone would call a difference, or none, and what all comparisons together leave open. */
function togetherNotices({ scenarios, comparisons }: Analysis, t: Translate): NoticeText[] {
  return scenarios.flatMap(({ id, verdict, verdictAlone }): NoticeText[] => {
    if (verdict !== 'unsettled' || verdictAlone === 'unsettled') return [];
    const message = t('report:notice.OPEN_BESIDE_OTHERS', {
      alone: t(`report:verdict.${verdictAlone}`),
      count: comparisons,
    });
    return [{ code: 'OPEN_BESIDE_OTHERS', message, scenarioId: id }];
  });
}

/** Why a run that goes on until it is settled has ended, and what its looks cost. */
function settlingNotices({ plan, roundsEnded }: RunOutline, { looks }: Analysis, t: Translate): NoticeText[] {
  const { untilSettled } = plan.schedule;
  if (untilSettled === undefined) return [];
  const code = roundsEnded === null ? 'ROUNDS_USED_UP' : `ROUNDS_ENDED_${roundsEnded}`;
  const key = roundsEnded === null ? 'all' : roundsEnded;
  const message = t(`report:notice.ROUNDS_ENDED.${key}`, {
    rounds: roundsText(plan.rounds.length, t),
    minutes: untilSettled.budgetMinutes,
    looks,
  });
  return [{ code: code.toUpperCase(), message }];
}

function scenarioNotices(
  scenario: ScenarioAnalysis,
  { confidence, equivalence }: Analysis,
  trials: TrialOutline[],
  t: Translate,
): NoticeText[] {
  const own = trials.filter(({ scenarioId, status }) => scenarioId === scenario.id && status === 'measured');
  const notices: NoticeText[] = [];
  const scenarioId = scenario.id;
  for (const found of findMarks(own, scenario.figures.flushUs)) {
    notices.push({ ...markNotice(found, t), scenarioId });
  }
  const interrupted = own.filter(({ totals }) => (totals?.excludedMs ?? 0) > 0);
  if (interrupted.length > 0) {
    const excludedMs = interrupted.reduce((sum, { totals }) => sum + (totals?.excludedMs ?? 0), 0);
    const message = t('report:notice.INTERRUPTED', {
      seconds: formatNumber(excludedMs / 1000, 0, t.language),
      count: interrupted.length,
    });
    notices.push({ code: 'INTERRUPTED', scenarioId, message });
  }
  const trend = trendNotice(own, confidence, equivalence, t);
  if (trend !== undefined) notices.push({ ...trend, scenarioId });
  if (own.some(({ totals }) => totals?.transactions === 0)) {
    notices.push({ code: 'NO_TRANSACTIONS', message: t('report:notice.NO_TRANSACTIONS'), scenarioId });
  }
  const retried = Object.values(scenario.errors).reduce((sum, count) => sum + count, 0);
  const share = retried / Math.max(1, retried + scenario.transactions);
  if (share > RETRIED_LIMIT) {
    const codes = Object.entries(scenario.errors).map(([code, count]) => `${count} × ${code}`);
    const message = t('report:notice.TRANSACTIONS_RETRIED', {
      percent: percentText(share, t),
      codes: codes.join(t('report:list.items')),
    });
    notices.push({ code: 'TRANSACTIONS_RETRIED', message, scenarioId });
  }
  return notices;
}

/** Whether measuring began before the scenario was warm, or saw it fade: over its trials, last third against first. */
function trendNotice(
  trials: TrialOutline[],
  confidence: number,
  equivalence: number,
  t: Translate,
): NoticeText | undefined {
  const thirds = trials.flatMap(({ evidence }) => evidence?.trend ?? []);
  if (thirds.length < ENOUGH_ROUNDS) return undefined;
  const ratio = pairedRatio(
    thirds.map(({ first, last }) => ({ scenario: last, baseline: first })),
    confidence,
  );
  if (ratio === null || ratio.low === null || ratio.high === null) return undefined;
  const [least, most] = equivalenceZone(equivalence);
  const code = ratio.low > 1 && ratio.value > most ? 'STILL_WARMING' : 'FADING';
  if (code === 'FADING' && !(ratio.high < 1 && ratio.value < least)) return undefined;
  return {
    code,
    message: t(`report:notice.${code}`, {
      interval: ratioIntervalText(ratio, t),
      ratio: formatRatio(ratio.value, t.language),
    }),
  };
}

/** A mark with the figures that it rests on. */
function markNotice(found: FoundMark, t: Translate): NoticeText {
  if (found.mark === 'flush-in-cache') {
    const message = t('report:notice.FLUSH_IN_CACHE', { time: formatLatency(found.flushUs, t.language) });
    return { code: 'FLUSH_IN_CACHE', message };
  }
  return { code: 'CLIENT_BOUND', trialId: found.trialId, message: clientText(found, t) };
}

function clientText(found: Exclude<FoundMark, { mark: 'flush-in-cache' }>, t: Translate): string {
  const percent = (share: number): string => String(Math.round(share * 100));
  const time = (us: number): string => formatLatency(us, t.language);
  if ('cpuShare' in found) return t('report:notice.CLIENT_BOUND_CPU', { percent: percent(found.cpuShare) });
  if ('garbageShare' in found) {
    return t('report:notice.CLIENT_BOUND_GARBAGE', { percent: percent(found.garbageShare) });
  }
  const latency = time(found.medianUs);
  return 'lateUs' in found
    ? t('report:notice.CLIENT_BOUND_LATE', { late: time(found.lateUs), latency })
    : t('report:notice.CLIENT_BOUND_DELAY', { delay: time(found.loopDelayUs), latency });
}

/**
 * Where both drivers measured the same and one is surely faster, by more than the zone of equivalence: the interval of
 * their ratio, paired within rounds, lies wholly outside of it. Each stands with the scenario that sysbench measured.
 */
function driverNotices(plan: Pick<Plan, 'scenarios'>, analysis: Analysis, t: Translate): NoticeText[] {
  const byId = new Map(analysis.scenarios.map((one) => [one.id, one]));
  const counted = plan.scenarios.filter(({ isNoiseFloor }) => !isNoiseFloor);
  return counted.flatMap((scenario): NoticeText[] => {
    if (scenario.driver !== 'sysbench') return [];
    const twin = counted.find((other) => other.driver === 'node' && sameBut(other) === sameBut(scenario));
    const [sysbench, node] = [byId.get(scenario.id), twin && byId.get(twin.id)];
    if (sysbench === undefined || node === undefined) return [];
    const message = disagreement(sysbench, node, analysis, t);
    return message === undefined ? [] : [{ code: 'DRIVERS_DISAGREE', scenarioId: scenario.id, message }];
  });
}

/** All that makes a scenario but its driver. */
const sameBut = (scenario: Scenario): string =>
  scenarioKey(scenario, ['storage', 'path', 'setupId', 'connections', 'clientNode']);

function disagreement(
  sysbench: ScenarioAnalysis,
  node: ScenarioAnalysis,
  { confidence, equivalence }: Analysis,
  t: Translate,
): string | undefined {
  const rates = new Map(node.rounds.map(({ round, tps }) => [round, tps]));
  const pairs = sysbench.rounds.flatMap(({ round, tps }) => {
    const baseline = rates.get(round);
    return baseline === undefined ? [] : [{ scenario: tps, baseline }];
  });
  const ratio = pairedRatio(pairs, confidence);
  if (ratio === null || ratio.low === null || ratio.high === null) return undefined;
  const [least, most] = equivalenceZone(equivalence);
  if (ratio.high >= least && ratio.low <= most) return undefined;
  return t('report:notice.DRIVERS_DISAGREE', {
    sysbench: formatRate(sysbench.tps, t.language),
    node: formatRate(node.tps, t.language),
    ratio: formatRatio(ratio.value, t.language),
    interval: ratioIntervalText(ratio, t),
    rounds: roundsText(ratio.pairedRounds, t),
  });
}

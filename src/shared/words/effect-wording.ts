import { marginOf } from '../analysis/effects.ts';
import type { Factor } from '../model/factors.ts';
import { ratioInterval } from '../analysis/notices.ts';
import { isDifference } from '../statistics/claims.ts';
import type { RatioEstimate } from '../statistics/estimate.ts';
import type { Verdict } from '../model/names.ts';
import type { Took } from '../model/history-entry.ts';
import type { Plan } from '../model/plan.ts';
import { messageText, type Translate } from './i18n.ts';
import { formatDuration, formatLatency, formatNumber, formatPercent, formatRate } from '../units.ts';

export function asSentence(text: string, t: Translate): string {
  if (t.language === 'zh-CN') return text;
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === '' ? '' : first.toLocaleUpperCase(t.language) + text.slice(first.length);
}

/** "±0.8% apart, by 12 earlier runs"; null without any */
export function equalServersText({ serversApart }: Pick<Plan, 'serversApart'>, t: Translate): string | null {
  if (serversApart === undefined) return null;
  const { variance, runs } = serversApart;
  // Standard deviation of two servers' difference: each varies by its copy and its start.
  return t('ui:environment.apart', { percent: percentText(Math.sqrt(4 * variance), t), count: runs });
}

/** "±5%, storage ±10%" */
export function marginsText(equivalence: number, t: Translate): string {
  const percent = (factor: Factor): string => percentText(marginOf(factor, equivalence), t);
  return t('ui:environment.margins', { percent: percent('path'), storage: percent('storage') });
}

export function percentText(share: number, t: Translate): string {
  return formatPercent(share, t.language);
}

/** "1.9×", "0.58×", "12×", for what is named first */
export function sizeText(ratio: number, t: Translate): string {
  const decimals = ratio < 1.2 ? 2 : ratio < 9.95 ? 1 : 0;
  const isTiny = ratio > 0 && ratio < 0.1;
  return t('report:effect.size', { number: formatNumber(ratio, isTiny ? 3 : decimals, t.language) });
}

/** "1.14×", rounded up */
export function boundText(bound: number, t: Translate): string {
  const steps = bound < 1.2 ? 100 : 10;
  return sizeText(Math.ceil(bound * steps - 1e-9) / steps, t);
}

/** "412 TPS", or a task's "3.42 s" */
export function speedText(perSecond: number | null, isTask: boolean, t: Translate): string {
  const number = speedNumber(perSecond, isTask, t.language);
  return isTask ? number : t('report:card.tps', { tps: number });
}

export function speedNumber(perSecond: number | null, isTask: boolean, language: string): string {
  return isTask && perSecond !== null
    ? formatLatency(1e6 / perSecond, language)
    : formatRate(perSecond, language);
}

/** "0.48× as fast"; for 0 "no transactions in at least one round" */
export function effectText({ value }: Pick<RatioEstimate, 'value'>, t: Translate): string {
  return value === 0 ? t('report:effect.stalled') : t('report:effect.speed', { size: sizeText(value, t) });
}

/** Enough digits that times differ. */
export function tookTimes({ us, referenceUs }: Took, t: Translate): { time: string; before: string } {
  const [time, before] = [us, referenceUs].map((one) => formatDuration(one / 1000, t.language));
  return time !== undefined && before !== undefined && time !== before
    ? { time, before }
    : { time: formatLatency(us, t.language), before: formatLatency(referenceUs, t.language) };
}

export function tookText(took: Took, t: Translate): string {
  return t('report:effect.took', tookTimes(took, t));
}

interface Sized {
  verdict: Verdict;
  ratio: Pick<RatioEstimate, 'value'> | null;
  took?: Took | null;
}

export function verdictSizeText({ verdict, ratio, took = null }: Sized, t: Translate): string {
  if (!isDifference(verdict) || ratio === null) return t(`messages:verdict.${verdict}`);
  return took === null ? effectText(ratio, t) : tookText(took, t);
}

export function intervalTextOf(
  ratio: Pick<RatioEstimate, 'low' | 'high' | 'confidence'>,
  t: Translate,
): string {
  return messageText(ratioInterval(ratio), t);
}

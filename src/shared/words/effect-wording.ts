import type { RatioEstimate } from '../model/analysis.ts';
import type { Translate } from './i18n.ts';
import { boundTexts, formatNumber, formatPercent, formatRatio } from './units.ts';

export function asSentence(text: string, t: Translate): string {
  if (t.language === 'zh-CN') return text;
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === '' ? '' : first.toLocaleUpperCase(t.language) + text.slice(first.length);
}

export function percentText(share: number, t: Translate): string {
  return formatPercent(share, t.language);
}

type Estimate = Pick<RatioEstimate, 'value' | 'low' | 'high' | 'confidence'>;

/** A ratio and its interval in a language's own notation: "1.7×" slower or faster, or "0.58 倍" of the throughput. */
interface Size {
  size: string;
  /** Of the interval, the least first; null without one. The first has no unit. */
  low: string | null;
  high: string | null;
}

export function sizeOf({ value, low, high }: Estimate, t: Translate): Size {
  const isRatio = t.language === 'zh-CN';
  const sized = (ratio: number): number => (value < 1 && !isRatio ? 1 / ratio : ratio);
  const [least, most] = (low === null || high === null ? [] : [sized(low), sized(high)]).sort(
    (a, b) => a - b,
  );
  const size = sized(value);
  const usual = size < 2 ? 2 : size < 10 ? 1 : 0;
  // With as many decimals as the interval needs to show an extent.
  const isWide = least === undefined || most === undefined || least.toFixed(usual) !== most.toFixed(usual);
  const number = (one: number): string =>
    isRatio ? formatRatio(one, t.language) : formatNumber(one, isWide ? usual : usual + 1, t.language);
  const unit = isRatio ? '' : '×';
  const [from, to] = least === undefined || most === undefined ? [] : boundTexts(least, most, number);
  return {
    size: `${number(size)}${isRatio ? ' 倍' : unit}`,
    low: from ?? null,
    high: to === undefined ? null : `${to}${unit}`,
  };
}

/** Whether a bound of an interval says only that the rounds disagree. */
export function isBeyond(bound: number): boolean {
  return bound < 0.1 || bound > 10;
}

/** "2.1× slower", "1.07× faster"; of 0: "no transactions in at least one round"; a far bound: "more than 10× slower" */
export function effectText(ratio: Estimate, t: Translate, { isBound = false } = {}): string {
  if (isBound && isBeyond(ratio.value)) {
    const { size } = sizeOf({ ...ratio, value: ratio.value < 1 ? 0.1 : 10 }, t);
    return t(ratio.value < 1 ? 'report:effect.muchSlower' : 'report:effect.muchFaster', { size });
  }
  if (ratio.value === 0) return t('report:effect.stalled');
  const { size } = sizeOf(ratio, t);
  return t(ratio.value < 1 ? 'report:effect.slower' : 'report:effect.faster', { size });
}

export function effectIntervalText(ratio: Estimate, t: Translate): string {
  const { low, high } = sizeOf(ratio, t);
  if (low === null || high === null || ratio.value === 0) return t('messages:interval.none');
  return t('report:interval.factor', { confidence: percentText(ratio.confidence, t), low, high });
}

import type { RatioEstimate } from '../model/analysis.ts';
import type { Translate } from './i18n.ts';
import { formatNumber, formatPercent, NO_VALUE } from './units.ts';

export function asSentence(text: string, t: Translate): string {
  if (t.language === 'zh-CN') return text;
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === '' ? '' : first.toLocaleUpperCase(t.language) + text.slice(first.length);
}

export function percentText(share: number, t: Translate): string {
  return formatPercent(share, t.language);
}

/** With an interval or without. */
type Estimate = Pick<RatioEstimate, 'value' | 'low' | 'high' | 'confidence'>;

interface Factors {
  /** How many times slower or faster, at least 1: "1.7". */
  factor: string;
  low: string | null;
  high: string | null;
  lowPercent: string;
  highPercent: string;
}

/** A ratio as a factor of at least 1, with as many decimals as its interval needs to show an extent. */
export function factorsOf({ value, low, high }: Estimate, t: Translate): Factors {
  const sized = (ratio: number): number => (value < 1 ? 1 / ratio : ratio);
  const [least, most] = (low === null || high === null ? [] : [sized(low), sized(high)]).sort(
    (a, b) => a - b,
  );
  const size = sized(value);
  const usual = size < 2 ? 2 : size < 10 ? 1 : 0;
  const decimals =
    least === undefined || most === undefined || least.toFixed(usual) !== most.toFixed(usual)
      ? usual
      : usual + 1;
  const number = (one: number): string => formatNumber(one, decimals, t.language);
  return {
    factor: number(size),
    low: least === undefined ? null : number(least),
    high: most === undefined ? null : number(most),
    lowPercent: low === null ? NO_VALUE : percentText(low, t),
    highPercent: high === null ? NO_VALUE : percentText(high, t),
  };
}

/** "2.1× slower", "1.07× faster"; a ratio of 0: "no transactions in at least one round". */
export function effectText(ratio: Estimate, t: Translate): string {
  if (ratio.value === 0) return t('report:effect.stalled');
  const { factor } = factorsOf(ratio, t);
  return t(ratio.value < 1 ? 'report:effect.slower' : 'report:effect.faster', {
    factor,
    percent: percentText(ratio.value, t),
  });
}

/** In the unit of `effectText`: "95% CI 1.9–2.3×". */
export function effectIntervalText(ratio: Estimate, t: Translate): string {
  const { low, high, lowPercent, highPercent } = factorsOf(ratio, t);
  if (low === null || high === null || ratio.value === 0) return t('messages:interval.none');
  const confidence = percentText(ratio.confidence, t);
  return t('report:interval.factor', { confidence, low, high, lowPercent, highPercent });
}

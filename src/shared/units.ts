export const NO_VALUE = '–';

const formatters = new Map<string, Intl.NumberFormat>();

export function formatNumber(value: number, decimals: number, language = 'en'): string {
  const key = `${language} ${decimals}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}

function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return 0;
  return size >= 10 ? 1 : 2;
}

/** No sign: 0.95 → "95", 0.999 → "99.9". */
export function formatPercent(share: number, language = 'en'): string {
  const percent = Math.round(share * 1000) / 10;
  return formatNumber(percent, Number.isInteger(percent) ? 0 : 1, language);
}

export function formatCount(count: number, language = 'en'): string {
  return formatNumber(count, 0, language);
}

/** No unit: "1,234", "12.3". */
export function formatRate(perSecond: number | null, language = 'en'): string {
  return perSecond === null ? NO_VALUE : formatNumber(perSecond, decimalsFor(perSecond), language);
}

/** "850 µs", "9.84 ms", "1.20 s" */
export function formatLatency(us: number | null, language = 'en'): string {
  if (us === null) return NO_VALUE;
  if (us < 999.5) return `${formatNumber(us, 0, language)} µs`;
  const ms = us / 1000;
  if (ms < 999.5) return `${formatNumber(ms, decimalsFor(ms), language)} ms`;
  return `${formatNumber(us / 1e6, decimalsFor(us / 1e6), language)} s`;
}

export function formatBytes(bytes: number, language = 'en'): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const decimals = unit === 0 || value >= 99.95 || Math.abs(value - Math.round(value)) < 0.05 ? 0 : 1;
  return `${formatNumber(value, decimals, language)} ${units[unit] ?? ''}`;
}

/** No-break spaces, as Chinese lines break anywhere. */
const DURATION_UNITS = {
  en: { ms: ' ms', s: ' s', min: ' min', h: ' h' },
  zh: { ms: '\u00a0毫秒', s: '\u00a0秒', min: '\u00a0分', h: '\u00a0小时' },
};

export function formatDuration(ms: number, language = 'en'): string {
  const unit = DURATION_UNITS[language.startsWith('zh') ? 'zh' : 'en'];
  if (ms < 999.5) return `${formatNumber(ms, 0, language)}${unit.ms}`;
  if (ms < 9_950 && Math.abs(ms - Math.round(ms / 1000) * 1000) >= 50) {
    return `${formatNumber(ms / 1000, 1, language)}${unit.s}`;
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}${unit.s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(`${minutes}${unit.min}`, seconds % 60, unit.s);
  const wholeMinutes = Math.round(seconds / 60);
  const hours = formatCount(Math.floor(wholeMinutes / 60), language);
  return joined(`${hours}${unit.h}`, wholeMinutes % 60, unit.min);
}

/** Whole minutes, rounded up. */
export function formatAbout(ms: number, language = 'en'): string {
  return formatDuration(Math.ceil(ms / 60_000) * 60_000, language);
}

function joined(large: string, rest: number, unit: string): string {
  return rest === 0 ? large : `${large} ${rest}${unit}`;
}

const WIDER = { en: 'wider than ', zh: '宽于 ' };

/**
 * "0.41–1.50", cut at 0.1 and 10 unless wholly beyond: "0.41 – > 10", "wider than 0.1–10"; "–" without an
 * interval.
 */
export function intervalText(
  ratio: { low: number | null; high: number | null } | null,
  language = 'en',
): string {
  if (ratio === null || ratio.low === null || ratio.high === null) return NO_VALUE;
  const { low, high } = ratio;
  const format = (bound: number): string => formatRatio(bound, language);
  const [isLow, isHigh] = [low < 0.1 && high >= 0.1, high > 10 && low <= 10];
  if (isLow && isHigh) return `${WIDER[language.startsWith('zh') ? 'zh' : 'en']}0.1–10`;
  if (isLow) return `< 0.1 – ${format(high)}`;
  return isHigh ? `${format(low)} – > 10` : `${format(low)}–${format(high)}`;
}

export function formatRatio(ratio: number, language = 'en'): string {
  return formatNumber(ratio, ratio !== 0 && ratio < 0.1 ? 3 : 2, language);
}

import { translate } from './texts.ts';

export {
  formatBytes,
  formatCount,
  formatDuration,
  formatLatency,
  formatNumber,
  formatRate,
  formatRatio,
  NO_VALUE,
} from '../shared/units.ts';

const time = new Intl.DateTimeFormat(translate.language, { timeStyle: 'medium' });
const dateTime = new Intl.DateTimeFormat(translate.language, { dateStyle: 'medium', timeStyle: 'short' });

/** Time of day. */
export function formatTime(at: number): string {
  return time.format(at);
}

/** Date and time of day. */
export function formatDateTime(at: number): string {
  return dateTime.format(at);
}

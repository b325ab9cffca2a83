import type { RecentRun } from '../model/history-entry.ts';
import type { Translate } from './i18n.ts';

type Ended = Pick<RecentRun, 'outcome' | 'failed'>;

export function outcomeText({ outcome, failed }: Ended, t: Translate): string {
  const text = t(`ui:live.status.${outcome}`);
  return failed > 0 && outcome !== 'failed'
    ? t('ui:recent.withFailures', { outcome: text, count: failed })
    : text;
}

export function outcomeTone({ outcome, failed }: Ended): 'ok' | 'warn' | 'bad' {
  if (outcome === 'failed') return 'bad';
  return outcome === 'stopped' || failed > 0 ? 'warn' : 'ok';
}

import type { Translate } from '../../shared/words/i18n.ts';

/** A time zone would be private. */
export function utcText({ language }: Translate): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return (at) => `${format.format(at)} UTC`;
}

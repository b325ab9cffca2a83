import type { Translate } from './i18n.ts';
import { LEFT_OUT_KINDS, type Sharing } from '../model/sharing.ts';
import { formatCount } from './units.ts';

/** What was left out of a result and what was included, in a line; the same in every export that has words. */
export function sharingText({ included, leftOut }: Sharing, t: Translate): string {
  const left = LEFT_OUT_KINDS.flatMap((kind) => {
    const count = leftOut[kind] ?? 0;
    const places = formatCount(count, t.language);
    return count === 0 ? [] : [t('report:share.places', { kind: t(`report:share.kind.${kind}`), places })];
  });
  const own = included.map((kind) => t(`report:share.kind.${kind}`));
  const separator = t('report:list.items');
  return [
    left.length === 0
      ? t('report:share.nothingLeftOut')
      : t('report:share.leftOut', { list: left.join(separator) }),
    ...(own.length === 0 ? [] : [t('report:share.included', { list: own.join(separator) })]),
  ].join(' ');
}

import type { Translate } from './i18n.ts';
import { MARKS, type Analysis, type Mark } from '../model/analysis.ts';

/** Stand for a mark where there is no room for its words, and before its footnote. */
export const MARK_SIGNS: Record<Mark, string> = { 'flush-in-cache': '†', 'client-bound': '‡' };

/** "flushes stop in a cache" */
export function markLabel(mark: Mark, t: Translate): string {
  return t(`report:mark.${mark}`);
}

/** What is written behind a verdict of a scenario with these marks: "†‡", or nothing. */
export function markSigns(marks: readonly Mark[]): string {
  return marks.map((mark) => MARK_SIGNS[mark]).join('');
}

/** A footnote for every mark that any scenario has: "flushes stop in a cache: …". */
export function markNotes({ scenarios }: Analysis, t: Translate): { mark: Mark; text: string }[] {
  return MARKS.filter((mark) => scenarios.some(({ marks }) => marks.includes(mark))).map((mark) => ({
    mark,
    text: t('report:mark.note', { label: markLabel(mark, t), meaning: t(`report:mark.meaning.${mark}`) }),
  }));
}

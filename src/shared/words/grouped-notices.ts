import type { Notice } from '../model/plan.ts';
import { messageText, type Translate } from './i18n.ts';

/** One notice with its scenarios; none: the whole run. */
interface GroupedNotice {
  message: string;
  scenarioIds: string[];
}

const FAILED = 'TRIALS_FAILED';

export function failureTexts(notices: readonly Notice[], t: Translate): string[] {
  return notices.flatMap(({ code, message }) => (code === FAILED ? [messageText(message, t)] : []));
}

/** Of all but failed trials. Notices with the same text of several scenarios become one, at the first's place. */
export function groupedNotices(notices: readonly Notice[], t: Translate): GroupedNotice[] {
  const groups = new Map<string, GroupedNotice>();
  for (const { code, message: said, scenarioId } of notices) {
    if (code === FAILED) continue;
    const message = messageText(said, t);
    const key = JSON.stringify([code, message, scenarioId === undefined]);
    const group = groups.get(key) ?? { message, scenarioIds: [] };
    if (scenarioId !== undefined) group.scenarioIds.push(scenarioId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

import type { Notice } from '../model/plan.ts';
import type { Translate } from './i18n.ts';
import { messageText } from './message-text.ts';

/** One remark and every scenario that it is about; none: the whole run. */
export interface GroupedNotice {
  message: string;
  scenarioIds: string[];
}

/** Notices as they are shown: what is said of several scenarios in the same words is said once, where it came first. */
export function groupedNotices(notices: readonly Notice[], t: Translate): GroupedNotice[] {
  const groups = new Map<string, GroupedNotice>();
  for (const { code, message: said, scenarioId } of notices) {
    const message = messageText(said, t);
    const key = JSON.stringify([code, message, scenarioId === undefined]);
    const group = groups.get(key) ?? { message, scenarioIds: [] };
    if (scenarioId !== undefined) group.scenarioIds.push(scenarioId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

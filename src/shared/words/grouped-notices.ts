import type { Notice } from '../model/plan.ts';
import { messageText, type Translate } from './i18n.ts';

interface GroupedNotice {
  message: string;
  scenarioIds: string[];
  isFact: boolean;
}

/** Codes of what asks for no decision and leaves verdicts as they are; all else warns. */
const FACTS =
  /^((CLIENT_)?IMAGE_SUBSTITUTED|NATIVE_MISSING|BASELINE_REPLACED|EXTERNAL_SETTINGS|PORT_OPEN|RUN_(UPDATED|CONTINUED)|TRIALS_SKIPPED|FIXED_RATE|NOT_SIDE_BY_SIDE|ROUNDS_.*|SLICE_LOST|FACTS_UNREADABLE)$/;

function weightOf({ code }: Notice): number {
  return code === 'TRIALS_FAILED' ? 2 : Number(!FACTS.test(code));
}

/** Lost trials first, then other warnings, then facts. Those with the same text of several scenarios become one. */
export function groupedNotices(notices: readonly Notice[], t: Translate): GroupedNotice[] {
  const groups = new Map<string, GroupedNotice>();
  for (const notice of [...notices].sort((a, b) => weightOf(b) - weightOf(a))) {
    const { message: said, scenarioId } = notice;
    const message = messageText(said, t);
    const key = JSON.stringify([message, scenarioId === undefined]);
    const group = groups.get(key) ?? { message, scenarioIds: [], isFact: weightOf(notice) === 0 };
    if (scenarioId !== undefined && !group.scenarioIds.includes(scenarioId))
      group.scenarioIds.push(scenarioId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

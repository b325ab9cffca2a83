import type { Notice } from '../model/plan.ts';
import { messageText, type Translate } from './i18n.ts';

/** One notice with its scenarios; none: the whole run. */
interface GroupedNotice {
  message: string;
  scenarioIds: string[];
}

/** Codes of what makes a verdict doubtful; all else are facts. */
const DOUBTS =
  /^(AA_CHECK|(STOPPED|ENDED)_EARLY|FEW_ROUNDS|OPEN_BESIDE_OTHERS|LOAD_GENERATORS_DISAGREE|CLIENT_LIMITED|IMAGE_EMULATED|SETTINGS_DIFFER|STILL_WARMING|FADING|INTERRUPTED|NO_TRANSACTIONS|TRANSACTIONS_RETRIED|NOT_DURABLE|HOST_.*)$/;

function weightOf({ code }: Notice): number {
  return code === 'TRIALS_FAILED' ? 2 : Number(DOUBTS.test(code));
}

/** Lost trials first, then doubts, then facts. Those with the same text of several scenarios become one. */
export function groupedNotices(notices: readonly Notice[], t: Translate): GroupedNotice[] {
  const groups = new Map<string, GroupedNotice>();
  for (const { message: said, scenarioId } of [...notices].sort((a, b) => weightOf(b) - weightOf(a))) {
    const message = messageText(said, t);
    const key = JSON.stringify([message, scenarioId === undefined]);
    const group = groups.get(key) ?? { message, scenarioIds: [] };
    if (scenarioId !== undefined && !group.scenarioIds.includes(scenarioId))
      group.scenarioIds.push(scenarioId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

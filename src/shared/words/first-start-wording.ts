import type { Analysis } from '../analysis/analysis.ts';
import type { FirstStart } from '../analysis/first-start.ts';
import { patienceSeconds } from '../compose/health-check.ts';
import type { StartPart } from '../model/evidence.ts';
import { formatDuration } from '../units.ts';
import type { Translate } from './i18n.ts';
import { choiceName, partName } from './waterfall-wording.ts';

/** A smaller share isn't mentioned. */
const WORTH_A_WORD = 0.1;
const MOST_NAMED = 3;

export function firstStartSentences(analysis: Analysis, t: Translate): string[] {
  const { firstStart } = analysis;
  if (firstStart === null) return [];
  const time = (ms: number): string => formatDuration(ms, t.language);
  const { meanMs, others } = firstStart;
  return [
    t('report:firstStart.most', { time: time(meanMs), list: mostOf(firstStart, t) }),
    ...others.map((other) => {
      const savedMs = meanMs - other.meanMs;
      return t(savedMs > 0 ? 'report:firstStart.saves' : 'report:firstStart.savesNothing', {
        name: choiceName(other.scenarioId, analysis, t),
        time: time(other.meanMs),
        saved: time(Math.abs(savedMs)),
      });
    }),
    ...healthSentences(firstStart, t),
  ];
}

/** Named scripts replace the parts that consist of them. */
function mostOf({ meanMs, scripts, parts }: FirstStart, t: Translate): string {
  const isShown = ({ part }: { part: StartPart }): boolean =>
    scripts.length === 0 || !(part === 'shellScripts' || part === 'sqlFiles');
  const others = parts.filter(isShown).map(({ part, ms }) => ({ name: partName(part, t), ms }));
  return [...scripts, ...others]
    .sort((a, b) => b.ms - a.ms)
    .filter(({ ms }, index) => index === 0 || ms >= WORTH_A_WORD * meanMs)
    .slice(0, MOST_NAMED)
    .map(({ name, ms }) => t('report:firstStart.part', { name, time: formatDuration(ms, t.language) }))
    .join(t('report:list.items'));
}

function healthSentences({ healthCheck, count, slowestMs }: FirstStart, t: Translate): string[] {
  if (healthCheck === null) return [];
  const { own, needed } = healthCheck;
  const rule = t('report:firstStart.rule', { count, slowest: formatDuration(slowestMs, t.language) });
  const waits = own === null ? '' : formatDuration(1000 * patienceSeconds(own), t.language);
  const key = needed === undefined ? 'isEnough' : own === null ? 'hasNoCheck' : 'isTooShort';
  return [
    t(`report:firstStart.${key}`, {
      ...{ rule, waits },
      startPeriod: `${needed?.startPeriodSeconds ?? 0}s`,
      retries: needed?.retries ?? 0,
    }),
    ...(own?.isFooled === true ? [t('report:firstStart.isFooled')] : []),
  ];
}

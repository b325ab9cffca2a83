import type { Analysis } from '../analysis/analysis.ts';
import { patienceSeconds } from '../compose/health-check.ts';
import { START_PARTS, type StartPart } from '../model/evidence.ts';
import { formatDuration } from '../units.ts';
import type { Translate } from './i18n.ts';
import { choiceName } from './waterfall-wording.ts';

/** Of a first start: what is less isn't worth a word. */
const WORTH_A_WORD = 0.1;
const MOST_NAMED = 3;

/** What takes the time, what the other kinds of start save, and what the health check needs. */
export function firstStartSentences(analysis: Analysis, t: Translate): string[] {
  const { firstStart } = analysis;
  if (firstStart === null) return [];
  const time = (ms: number): string => formatDuration(ms, t.language);
  const { meanMs, others } = firstStart;
  return [
    t('report:firstStart.most', { time: time(meanMs), list: mostOf(analysis, t) }),
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

/** Scripts by their names, and what else a first start does. */
function mostOf({ firstStart, scenarios }: Analysis, t: Translate): string {
  const { meanMs = 0, scripts = [], scenarioId = '' } = firstStart ?? {};
  const parts = scenarios.find(({ id }) => id === scenarioId)?.parts ?? [];
  const others = START_PARTS.filter(
    (part) => scripts.length === 0 || !(part === 'shellScripts' || part === 'sqlFiles'),
  ).map((part) => ({ name: partText(part, t), ms: msOf(part, parts) }));
  const [first, ...more] = [...scripts, ...others].sort((a, b) => b.ms - a.ms);
  const named = [first, ...more.filter(({ ms }) => ms >= WORTH_A_WORD * meanMs)].slice(0, MOST_NAMED);
  return named
    .flatMap((one) =>
      one === undefined
        ? []
        : [t('report:firstStart.part', { name: one.name, time: formatDuration(one.ms, t.language) })],
    )
    .join(t('report:list.items'));
}

function partText(part: StartPart, t: Translate): string {
  return t(`report:waterfall.part.${part}`);
}

function msOf(part: StartPart, parts: Analysis['scenarios'][number]['parts']): number {
  return parts.reduce((sum, one) => (one.part === part ? sum + one.us / 1000 : sum), 0);
}

function healthSentences(
  { healthCheck, count, slowestMs }: NonNullable<Analysis['firstStart']>,
  t: Translate,
): string[] {
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

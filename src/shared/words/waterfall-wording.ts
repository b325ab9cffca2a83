import { THROTTLED } from '../analysis/recommendations.ts';
import type { TimeKey, TimePart, Wait, Waterfall } from '../analysis/waterfall.ts';
import type { Analysis, Effect } from '../analysis/analysis.ts';
import { formatLatency } from '../units.ts';
import { asSentence, percentText } from './effect-wording.ts';
import type { Translate } from './i18n.ts';
import { levelName, rowName } from './labels.ts';

export function partName(part: TimePart['part'], t: Translate): string {
  return t(`report:waterfall.part.${part}`);
}

export function waitName(wait: Wait, t: Translate): string {
  return t(`report:waterfall.wait.${wait}`);
}

export function waterfallLead({ task }: Pick<Analysis, 'task'>, t: Translate): string {
  const kind = task === null ? 'load' : task === 'ready' ? 'start' : 'task';
  return t(`report:waterfall.lead.${kind}`);
}

/** If the network is measured, a part's time is the server's time for it. */
function keyName(key: TimeKey, isSplit: boolean, t: Translate): string {
  if (key === 'network' || key === 'flush') return waitName(key, t);
  const part = partName(key, t);
  return isSplit && key !== 'rest' ? t('report:waterfall.ofServer', { part }) : part;
}

export function choiceName(scenarioId: string, analysis: Analysis, t: Translate): string {
  const { effects, scenarios, baselineId } = analysis;
  const scenario = scenarios.find(({ id }) => id === scenarioId);
  if (scenario === undefined) return scenarioId;
  const own = effects.filter(({ pairs }) =>
    pairs.some(
      (pair) =>
        pair.referenceId === baselineId && (scenarioId === baselineId || pair.scenarioId === scenarioId),
    ),
  );
  const [factor, ...others] = new Set(own.map((one) => one.factor));
  return factor === undefined || others.length > 0
    ? rowName(scenario, analysis, t)
    : asSentence(levelName(scenario.label, factor, t), t);
}

/** "Host network takes 8.37 ms less than published port: reads −3.42 ms, …" */
export function waterfallSentences(analysis: Analysis, t: Translate): string[] {
  const largest = analysis.waterfall?.largest ?? null;
  const throttled = analysis.scenarios.filter(({ figures }) => (figures.throttledShare ?? 0) >= THROTTLED);
  return [
    // The sentences about kinds of start include it.
    ...(largest === null || analysis.firstStart !== null ? [] : [differenceText(largest, analysis, t)]),
    ...throttled.map((one) => {
      const share = one.figures.throttledShare ?? 0;
      const percent = percentText(share / (1 + share), t);
      return t('report:waterfall.throttled', { name: rowName(one, analysis, t), percent });
    }),
  ];
}

function differenceText(
  { scenarioId, us, most }: NonNullable<Waterfall['largest']>,
  analysis: Analysis,
  t: Translate,
): string {
  const { scenarios, effects, baselineId } = analysis;
  const time = (one: number): string => formatLatency(Math.abs(one), t.language);
  const isSplit = scenarios.some((one) => one.parts.some(({ wait }) => wait === 'network'));
  const parts = most.map((one) => `${keyName(one.key, isSplit, t)} ${one.us < 0 ? '−' : '+'}${time(one.us)}`);
  const isOwn = ({ pairs }: Effect): boolean =>
    pairs.some((pair) => pair.scenarioId === scenarioId && pair.referenceId === baselineId);
  const factor = effects.find(isOwn)?.factor;
  const baseline = scenarios.find(({ id }) => id === baselineId);
  return t(us < 0 ? 'report:waterfall.less' : 'report:waterfall.more', {
    name: choiceName(scenarioId, analysis, t),
    time: time(us),
    baseline:
      baseline === undefined || factor === undefined
        ? t('ui:common.baseline')
        : levelName(baseline.label, factor, t),
    parts: parts.join(t('report:list.items')),
  });
}

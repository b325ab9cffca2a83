import type { Translate } from './i18n.ts';
import type { Analysis, ScenarioAnalysis, Why } from '../analysis/analysis.ts';
import type { PartOfStart } from '../analysis/start-parts.ts';
import { formatLatency, formatNumber } from '../units.ts';
import { percentText } from './effect-wording.ts';
import { rowName } from './labels.ts';

/** "COMMIT, 95th percentile 1.9 ms → 24 ms. This explains 78% of the difference." */
export function whyText(why: Why, t: Translate): string {
  const percent = percentText(Math.round(why.share * 100) / 100, t);
  const time = (us: number): string => formatLatency(us, t.language);
  switch (why.cause) {
    case 'throttled':
      return t(`report:why.throttled.${why.slower}`, { percent });
    case 'round-trip': {
      const whole = Math.abs(why.statements - Math.round(why.statements)) < 0.05;
      const statements = formatNumber(why.statements, whole ? 0 : 1, t.language);
      return t('report:why.round-trip', { from: time(why.fromUs), to: time(why.toUs), statements, percent });
    }
    case 'every-statement':
      return t(`report:why.every-statement.${why.slower}`, { least: time(why.leastUs), percent });
    case 'flushes': {
      const count = (flushes: number): string => formatNumber(flushes, 0, t.language);
      return t('report:why.flushes', {
        ...{ from: count(why.from), fromTime: time(why.fromUs), to: count(why.to), toTime: time(why.toUs) },
        percent,
      });
    }
    case 'cpu':
      return t('report:why.cpu', { from: time(why.fromUs), to: time(why.toUs), percent });
    case 'kind':
    case 'mixed': {
      const key = why.cause === 'kind' && why.readsStorage ? (`kindReads.${why.slower}` as const) : why.cause;
      const kind = t(`report:why.kinds.${why.kind}`);
      const said = t(`report:why.${key}`, { kind, from: time(why.fromUs), to: time(why.toUs), percent });
      if (why.flush === null) return said;
      const { fromUs, toUs } = why.flush;
      return `${said} ${t('report:why.flush', { from: time(fromUs), to: time(toUs) })}`;
    }
  }
}

export function whySentences(analysis: Analysis, t: Translate): { scenarioId: string; text: string }[] {
  return analysis.scenarios.flatMap((scenario) => {
    const text = whySentence(scenario, analysis, t);
    return text === undefined ? [] : [{ scenarioId: scenario.id, text }];
  });
}

function whySentence(scenario: ScenarioAnalysis, analysis: Analysis, t: Translate): string | undefined {
  const { why, startParts, isBaseline } = scenario;
  const said = [
    ...(why === null ? [] : [whyText(why, t)]),
    ...(startParts.length === 0 ? [] : [startText(startParts, isBaseline, t)]),
  ].join(t('report:list.sentences'));
  return said === ''
    ? undefined
    : t('report:list.named', { name: rowName(scenario, analysis, t), value: said });
}

/** Of the baseline all: "container start 0.31 s, first login 9 ms." Otherwise "differs in: time zones 460 ms → none." */
function startText(parts: readonly PartOfStart[], isBaseline: boolean, t: Translate): string {
  const different = parts.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster');
  const shown = (isBaseline ? parts : different).map(({ part, ms, baselineMs }) => {
    const time = partTime(ms, t);
    return `${t(`report:why.startParts.${part}`)} ${isBaseline ? time : `${partTime(baselineMs, t)} → ${time}`}`;
  });
  const list = shown.join(t('report:list.parts'));
  if (isBaseline) return list + t('report:list.end');
  return shown.length === 0 ? t('report:why.startAlike') : t('report:why.startDiffers', { parts: list });
}

export function partTime(ms: number, t: Translate): string {
  return ms === 0 ? t('report:why.noPart') : formatLatency(1000 * ms, t.language);
}

import type { FactorProgress } from '../analysis/factor-progress.ts';
import type { Analysis, Effect } from '../analysis/analysis.ts';
import type { LoadGenerator } from '../model/names.ts';
import { verdictSizeText } from './effect-wording.ts';
import type { Translate } from './i18n.ts';
import { levelName } from './labels.ts';
import { formatDuration, formatLatency, formatRate, formatRatio, intervalText, NO_VALUE } from '../units.ts';

interface EffectTexts {
  level: string;
  reference: string;
  ratio: string;
  interval: string;
  cost: string;
  verdict: string;
}

export function effectTexts(effect: Effect, analysis: Analysis, t: Translate): EffectTexts {
  const { factor, pairs, ratio, cost, unsafe } = effect;
  const [pair] = pairs;
  const named = (id: string | undefined, level: string, isUnsafe: boolean): string => {
    const label = analysis.scenarios.find((one) => one.id === id)?.label;
    const name = label === undefined ? level : levelName(label, factor, t);
    return isUnsafe ? t('report:card.unsafe', { name }) : name;
  };
  return {
    level: withGenerators(named(pair?.scenarioId, effect.level, unsafe.level), effect, analysis, t),
    reference: named(pair?.referenceId, effect.reference, unsafe.reference),
    ratio: ratio === null ? NO_VALUE : formatRatio(ratio.value, t.language),
    interval: intervalText(ratio, t.language),
    cost: cost === null ? NO_VALUE : costText(cost, t),
    verdict: t(`messages:verdict.${effect.verdict}`),
  };
}

/** Labels name load generators, which may disagree. */
function withGenerators(
  name: string,
  { factor, pairs }: Effect,
  { scenarios }: Analysis,
  t: Translate,
): string {
  const generators = (ids: readonly string[]): LoadGenerator[] => [
    ...new Set(scenarios.flatMap(({ id, loadGenerator }) => (ids.includes(id) ? [loadGenerator] : []))),
  ];
  if (factor === 'loadGenerator' || generators(scenarios.map(({ id }) => id)).length < 2) return name;
  const own = generators(pairs.map(({ scenarioId }) => scenarioId)).map((one) =>
    t(`ui:plan.loadGeneratorName.${one}`),
  );
  return t('report:list.aside', { text: name, aside: own.join(t('report:list.items')) });
}

/** "conclusive: 1.66× faster", "about 2 more rounds" */
export function factorStateText({ effects, state }: FactorProgress, t: Translate): string {
  switch (state.kind) {
    case 'more-rounds':
      return t('report:effects.state.more-rounds', { count: state.rounds });
    case 'more-time':
      return t('report:effects.state.more-time', { duration: formatDuration(state.ms, t.language) });
    case 'first-verdict':
      return t('report:effects.state.first-verdict', { round: state.round });
    case 'conclusive': {
      const [effect, ...others] = effects;
      if (effect === undefined || others.length > 0) return t('report:effects.state.conclusive');
      return t('report:effects.state.conclusiveEffect', { effect: verdictSizeText(effect, t) });
    }
    case 'inconclusive':
    case 'beyond':
      return t(`report:effects.state.${state.kind}`);
  }
}

function costText({ tps, ms }: NonNullable<Effect['cost']>, t: Translate): string {
  const signed = (value: number, text: string): string => `${value < 0 ? '−' : '+'}${text}`;
  const time = signed(ms, formatLatency(Math.abs(ms) * 1000, t.language));
  if (tps === 0) return time;
  return t('report:effects.costText', { tps: signed(-tps, formatRate(Math.abs(tps), t.language)), ms: time });
}

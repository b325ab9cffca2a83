import type { Analysis, ScenarioAnalysis } from '../analysis/analysis.ts';
import { comparisonsOf } from '../analysis/comparisons.ts';
import { effectsByFactor } from '../analysis/factor-progress.ts';
import type { RunState } from '../model/run-state.ts';
import { formatRate, formatRatio } from '../units.ts';
import { effectTexts } from '../words/effect-table.ts';
import { asSentence, speedText, verdictSizeText } from '../words/effect-wording.ts';
import { errorText, type Translate } from '../words/i18n.ts';
import { labelText } from '../words/labels.ts';
import { flagSigns, verdictLabel, whereText } from '../words/wording.ts';
import { NO_BAR, ratioBar, type Bar, type Tone } from './bars.ts';

const MOST_ROWS = 24;

export interface CardGroup {
  title: string | null;
  rows: CardRow[];
}

export interface CardRow {
  label: string;
  tone: Tone;
  bar: Bar;
  verdict: string;
  published: string;
  rates: string[];
  /** Text instead of a bar. */
  remark: string;
}

const NO_ROW: CardRow = {
  label: '',
  tone: 'same',
  bar: NO_BAR,
  verdict: '',
  published: '',
  rates: [],
  remark: '',
};

/** Effects of several factors, else scenarios, as far as there is room. */
export function cardGroups(state: RunState, analysis: Analysis, t: Translate): CardGroup[] {
  const effects = effectGroups(analysis, t);
  const { reference, task } = state.plan;
  return effects.length > 1 && reference === null && task === null
    ? effects
    : scenarioGroups(state, analysis, t);
}

/** Ratio to the baseline, transactions per second, or a task's time in µs. */
export type BarUnit = 'ratio' | 'rate' | 'time';

export function barUnit({ scenarios, task }: Pick<Analysis, 'scenarios' | 'task'>): BarUnit {
  if (task !== null) return 'time';
  return scenarios.some(({ isBaseline, measured }) => isBaseline && measured > 0) ? 'ratio' : 'rate';
}

function effectGroups(analysis: Analysis, t: Translate): CardGroup[] {
  return effectsByFactor(analysis).map(({ factor, effects }) => {
    const texts = effects.map((effect) => effectTexts(effect, analysis, t));
    const level = texts[0]?.reference ?? '';
    return {
      title: t('report:card.comparedWith', { factor: t(`report:effects.factor.${factor}`), level }),
      rows: effects.map((effect, index): CardRow => {
        const { ratio, verdict, pairs, cost } = effect;
        const measuring = new Set(pairs.map(({ scenarioId }) => scenarioId));
        const own = analysis.scenarios.filter(({ id }) => measuring.has(id));
        const flags = [...new Set(own.flatMap((one) => one.flags))];
        return {
          ...NO_ROW,
          label: asSentence(texts[index]?.level ?? '', t),
          tone: verdict,
          bar: ratioBar(effect, verdict, flags),
          verdict: `${verdictSizeText(effect, t)} ${flagSigns(flags)}`.trim(),
          rates: cost === null ? [] : [texts[index]?.cost ?? ''],
          remark: ratio === null ? t('report:card.unpaired') : '',
        };
      }),
    };
  });
}

function scenarioGroups(state: RunState, analysis: Analysis, t: Translate): CardGroup[] {
  const rowOf = scenarioRows(state, analysis, t);
  const comparisons = comparisonsOf(analysis);
  const room = analysis.scenarios.length > MOST_ROWS ? Math.floor(MOST_ROWS / comparisons.length) : MOST_ROWS;
  return comparisons.map((comparison) => {
    const rows = comparison.scenarios.map((one) => ({
      ...rowOf(one),
      label: asSentence(labelText(one.label, t, comparison), t),
    }));
    const isTime = barUnit(analysis) === 'time';
    const order = ({ bar: { value } }: CardRow): number => (isTime ? -(value ?? Infinity) : (value ?? -1));
    rows.sort((a, b) => order(b) - order(a));
    const hidden = rows.length > room ? rows.splice(room - 1).length : 0;
    if (hidden > 0) rows.push({ ...NO_ROW, label: t('report:card.more', { count: hidden }) });
    const where = whereText(comparison, t);
    return { title: where === undefined ? null : asSentence(where, t), rows };
  });
}

function scenarioRows(
  state: RunState,
  analysis: Analysis,
  t: Translate,
): (scenario: ScenarioAnalysis) => CardRow {
  const unit = barUnit(analysis);
  const compared = unit !== 'rate';
  const remarkText = ({ id, measured }: ScenarioAnalysis): string => {
    if (measured > 0) return t('report:card.unpaired');
    const failed = state.trials.find(({ scenarioId, status }) => scenarioId === id && status === 'failed');
    if (!failed?.error) return t('messages:verdict.notMeasured');
    return t('report:card.failed', { message: errorText(failed.error, t).message });
  };
  const rateTexts = ({ perMinute, tps, isTask }: ScenarioAnalysis): string[] => {
    if (tps === null) return [];
    if (perMinute === null) return [speedText(tps, isTask, t)];
    return [
      t('report:card.transactionsPerMinute', { rate: formatRate(perMinute.transactionsPerMinute) }),
      t('report:card.newOrdersPerMinute', { rate: formatRate(perMinute.newOrdersPerMinute) }),
    ];
  };
  return (scenario) => {
    const { ratio, margin, measured, isBaseline, verdict, reference, flags, tps } = scenario;
    const tone = isBaseline ? 'baseline' : compared ? verdict : 'same';
    // Another machine's rate only compares relative to its own baseline.
    const published = compared ? (reference?.ratio ?? null) : null;
    const bar = ratioBar({ ratio: unit === 'ratio' ? ratio : null, margin }, tone, flags, published);
    const value = unit === 'ratio' ? bar.value : unit === 'rate' || tps === null ? tps : 1e6 / tps;
    const words = isBaseline ? verdictLabel(scenario, t) : verdictSizeText(scenario, t);
    return {
      ...NO_ROW,
      tone,
      bar: { ...bar, value },
      verdict: `${measured > 0 && compared ? words : ''} ${flagSigns(flags)}`.trim(),
      published: published === null ? '' : t('report:card.publishedRatio', { ratio: formatRatio(published) }),
      rates: rateTexts(scenario),
      remark: value === null ? remarkText(scenario) : '',
    };
  };
}

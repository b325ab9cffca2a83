import { comparisonsOf } from '../analysis/comparisons.ts';
import { errorText, type Translate } from '../words/i18n.ts';
import { FLAG_SIGNS, flagNotes, flagSigns, aaCheckText, verdictLabel, whereText } from '../words/wording.ts';
import { speedText, asSentence, percentText, verdictSizeText } from '../words/effect-wording.ts';
import type { Analysis, ScenarioAnalysis } from '../analysis/analysis.ts';
import type { RunState } from '../model/run-state.ts';
import { isNormalized, publishedBaselineText, publishedText } from '../words/provenance.ts';
import { tpccFigures, type TpccFigures } from '../analysis/tpcc-figures.ts';
import { formatNumber, formatRate, formatRatio } from '../units.ts';
import { barChartSvg, leastChartHeight, type ChartGroup, type ChartRow } from './bar-chart.ts';
import { NO_BAR, ratioBar, type Tone } from './bars.ts';
import { at, ink, svgFrame, svgRect, svgText } from './svg.ts';
import { type Box, leastSweepHeight, sweepSvg } from './sweep.ts';
import { fitText } from './text.ts';
import { effectTexts } from '../words/effect-table.ts';
import { effectsByFactor } from '../analysis/factor-progress.ts';
import { labelText } from '../words/labels.ts';

const MOST_ROWS = 24;
const MOST_SWEEPS = 6;
const NOTE_ROOM = { size: 13, oneLineFrom: 12, minSize: 11, lines: 2 };
const NOTE_HEIGHT = 20;
const SWATCH = 34;

export interface ShareChart {
  leastHeight: number;
  draw: (box: Box) => string;
}

/**
 * Curves of a sweep, otherwise bars: of the effects of several factors, else of the scenarios, as far as a picture has
 * room; `width` of its box.
 */
export function shareChart(state: RunState, analysis: Analysis, width: number, t: Translate): ShareChart {
  if (analysis.sweeps.length > 0) return sweepChart(analysis, width, t, MOST_SWEEPS);
  const effects = effectGroups(analysis, t);
  const isGrid = effects.length > 1 && state.plan.reference === null;
  const groups = isGrid ? effects : scenarioGroups(state, analysis, t, MOST_ROWS);
  return barChart(state, analysis, groups, width, t);
}

export function barChart(
  state: RunState,
  analysis: Analysis,
  groups: ChartGroup[],
  width: number,
  t: Translate,
): ShareChart {
  const compared = isCompared(analysis);
  const confidence = percentText(analysis.confidence, t);
  const hasPublished = groups.some(({ rows }) => rows.some(({ bar }) => bar.published !== null));
  const notes: Note[] = [
    ...(compared
      ? [{ text: t(`report:card.${axisName(analysis, groups.length > 1)}`, { confidence }) }]
      : []),
    ...noiseNotes(analysis, t),
    ...flagNotes(analysis, t).map(({ flag, text }) => ({
      text: `${FLAG_SIGNS[flag]} ${text}`,
      swatch: [ink('same'), `url(#${flag})`].map((fill) => svgRect(0, -10, SWATCH - 8, 11, fill)).join(''),
    })),
    ...(hasPublished ? sourceNotes(state, analysis, t) : []),
  ];
  const options = {
    equivalence: compared ? analysis.equivalence : null,
    tickText: (tick: number) => chartTick(tick, compared, t),
  };
  return withNotes(notes, width, leastChartHeight(groups), (box) => barChartSvg(groups, box, options));
}

export function sweepChart(
  analysis: Analysis,
  width: number,
  t: Translate,
  mostSweeps = Infinity,
): ShareChart {
  const sweeps = analysis.sweeps.slice(0, mostSweeps);
  const hidden = analysis.sweeps.length - sweeps.length;
  const notes: Note[] = [
    { text: t('report:sweep.curveNote') },
    ...(hidden > 0 ? [{ text: t('report:card.more', { count: hidden }) }] : []),
    ...noiseNotes(analysis, t),
    ...flagNotes(analysis, t).map(({ flag, text }) => ({ text: `${FLAG_SIGNS[flag]} ${text}` })),
  ];
  return withNotes(notes, width, leastSweepHeight(sweeps), (box) => sweepSvg(sweeps, box, t));
}

interface Note {
  text: string;
  swatch?: string;
}

function noiseNotes(analysis: Analysis, t: Translate): Note[] {
  const text = aaCheckText(analysis, t);
  return text === undefined ? [] : [{ text }];
}

function sourceNotes({ plan }: RunState, analysis: Analysis, t: Translate): Note[] {
  if (plan.reference === null) return [];
  const source = t('report:card.published', { line: publishedText(plan.reference, t) });
  const text = isNormalized(analysis) ? source : `${source}. ${publishedBaselineText(analysis, t)}`;
  return [{ text, swatch: svgFrame(0.75, -10, SWATCH - 9.5, 10, ink('text-2')) }];
}

/** Notes are below the chart. */
function withNotes(
  notes: Note[],
  width: number,
  leastHeight: number,
  draw: (box: Box) => string,
): ShareChart {
  const lines = notes.flatMap(({ text, swatch }) => {
    const left = swatch === undefined ? 0 : SWATCH;
    const fitted = fitText(text, { ...NOTE_ROOM, width: width - left });
    return fitted.lines.map((line, index) => ({
      line,
      left,
      size: fitted.size,
      swatch: index === 0 ? swatch : undefined,
    }));
  });
  const height = NOTE_HEIGHT * lines.length;
  return {
    leastHeight: leastHeight + height,
    draw: (box) => {
      const top = box.y + box.height - height + 15;
      return [
        draw({ ...box, height: box.height - height }),
        ...lines.flatMap(({ line, left, size, swatch }, index) => {
          const y = top + NOTE_HEIGHT * index;
          const text = svgText(box.x + left, y, line, { size, fill: ink('text-2') });
          return swatch === undefined
            ? [text]
            : [`<g transform="translate(${box.x} ${at(y)})">${swatch}</g>`, text];
        }),
      ].join('\n');
    },
  };
}

function isCompared({ scenarios }: Analysis): boolean {
  return scenarios.some(({ isBaseline, measured }) => isBaseline && measured > 0);
}

export function effectGroups(analysis: Analysis, t: Translate): ChartGroup[] {
  return effectsByFactor(analysis).map(({ factor, effects }): ChartGroup => {
    const rows = effects.map((effect): ChartRow => {
      const { level, cost } = effectTexts(effect, analysis, t);
      const { ratio, pairs } = effect;
      const flags = analysis.scenarios.flatMap((one) =>
        pairs.some(({ scenarioId }) => scenarioId === one.id) ? one.flags : [],
      );
      return {
        ...NO_ROW,
        label: asSentence(level, t),
        bar: ratioBar(ratio, effect.verdict, [...new Set(flags)]),
        color: verdictColor(effect.verdict),
        verdict: [verdictSizeText(effect, t), flagSigns([...new Set(flags)])]
          .filter((part) => part !== '')
          .join(' '),
        rates: effect.cost === null ? [] : [cost],
        remark: ratio === null ? t('report:card.unpaired') : '',
      };
    });
    const [first] = effects;
    const title = {
      factor: t(`report:effects.factor.${factor}`),
      level: first === undefined ? '' : effectTexts(first, analysis, t).reference,
    };
    return { title: t('report:card.comparedWith', title), rows };
  });
}

/** `mostRows`: in all groups together. */
export function scenarioGroups(
  state: RunState,
  analysis: Analysis,
  t: Translate,
  mostRows = Infinity,
): ChartGroup[] {
  const compared = isCompared(analysis);
  const tpcc = tpccFigures(state);
  const comparisons = comparisonsOf(analysis);
  const value = (one: ScenarioAnalysis): number | null => (compared ? (one.ratio?.value ?? null) : one.tps);
  const all = analysis.scenarios.length;
  return comparisons.map((comparison): ChartGroup => {
    const sorted = [...comparison.scenarios].sort((a, b) => (value(b) ?? -1) - (value(a) ?? -1));
    const room = Math.floor(mostRows / comparisons.length);
    const shown = all > mostRows && sorted.length > room ? sorted.slice(0, room - 1) : sorted;
    const rows = shown.map((one) => ({
      ...chartRow(one, compared, tpcc.get(one.id), t),
      label: asSentence(labelText(one.label, t, comparison), t),
      remark: value(one) === null ? remarkText(one, state, t) : '',
    }));
    const hidden = sorted.length - shown.length;
    if (hidden > 0) rows.push({ ...NO_ROW, label: t('report:card.more', { count: hidden }) });
    const where = whereText(comparison, t);
    return { title: where === undefined ? null : asSentence(where, t), rows };
  });
}

function remarkText({ id, measured }: ScenarioAnalysis, { trials }: RunState, t: Translate): string {
  if (measured > 0) return t('report:card.unpaired');
  const error = trials.find(({ scenarioId, status }) => scenarioId === id && status === 'failed')?.error;
  return error
    ? t('report:card.failed', { message: errorText(error, t).message })
    : t('messages:verdict.notMeasured');
}

const NO_ROW: ChartRow = {
  label: '',
  isBaseline: false,
  bar: NO_BAR,
  publishedText: '',
  verdict: '',
  color: ink('text-2'),
  rates: [],
  remark: '',
};

function verdictColor(tone: Tone): string {
  return ink(tone === 'same' || tone === 'inconclusive' ? 'text-2' : tone);
}

function chartRow(
  scenario: ScenarioAnalysis,
  compared: boolean,
  tpcc: TpccFigures | undefined,
  t: Translate,
): ChartRow {
  const { ratio, measured, isBaseline, verdict, reference, flags, tps } = scenario;
  const said = isBaseline ? verdictLabel(scenario, t) : verdictSizeText(scenario, t);
  const words = measured === 0 || !compared ? '' : said;
  const tone = isBaseline ? 'baseline' : compared ? verdict : 'same';
  // Another machine's rate only compares relative to its own baseline.
  const published = compared ? (reference?.ratio ?? null) : null;
  const bar = ratioBar(compared ? ratio : null, tone, flags, published);
  return {
    ...NO_ROW,
    isBaseline,
    bar: compared ? bar : { ...bar, value: tps },
    publishedText:
      published === null ? '' : t('report:card.publishedRatio', { ratio: formatRatio(published) }),
    verdict: [words, flagSigns(flags)].filter((part) => part !== '').join(' '),
    color: verdictColor(tone),
    rates: rateTexts(scenario, tpcc, t),
  };
}

function rateTexts({ tps, isTask }: ScenarioAnalysis, tpcc: TpccFigures | undefined, t: Translate): string[] {
  if (tps === null) return [];
  if (tpcc === undefined) return [speedText(tps, isTask, t)];
  return [
    t('report:card.transactionsPerMinute', { rate: formatRate(tpcc.transactionsPerMinute) }),
    t('report:card.newOrdersPerMinute', { rate: formatRate(tpcc.newOrdersPerMinute) }),
  ];
}

function chartTick(tick: number, compared: boolean, t: Translate): string {
  if (!compared) return formatRate(tick, t.language);
  const decimals = Number.isInteger(Math.round(tick * 100) / 10) ? 1 : 2;
  return `${formatNumber(tick, Math.abs(tick - Math.round(tick)) < 1e-9 ? 0 : decimals, t.language)}×`;
}

function axisName({ task }: Analysis, grouped: boolean) {
  if (task !== null) return 'axisTask';
  return grouped ? 'axisIn' : 'axis';
}

import { comparisonsOf } from '../../shared/analysis/comparisons.ts';
import { errorText, type Translate } from '../../shared/words/i18n.ts';
import {
  FLAG_SIGNS,
  flagNotes,
  flagSigns,
  aaCheckText,
  verdictLabel,
  whereText,
} from '../../shared/words/wording.ts';
import { asSentence, effectText, percentText } from '../../shared/words/effect-wording.ts';
import type { Analysis, Flag, ScenarioAnalysis } from '../../shared/model/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isNormalized, publishedBaselineText, publishedText } from '../../shared/words/provenance.ts';
import { equivalenceZone } from '../../shared/statistics/paired-ratio.ts';
import { tpccFigures, type TpccFigures } from '../../shared/analysis/tpcc-figures.ts';
import { formatNumber, formatRate, formatRatio } from '../../shared/words/units.ts';
import { leastChartHeight, type Box, type ChartGroup, type ChartRow } from './chart-layout.ts';
import { chartSvg } from './chart-svg.ts';
import { leastSweepHeight, sweepSvg } from './sweep-svg.ts';
import { fitText, INK, svgFrame, svgRect, svgText, textWidth } from './svg.ts';
import { effectTexts } from '../../shared/words/effect-table.ts';
import { effectsByFactor } from '../../shared/analysis/factor-progress.ts';
import { labelText } from '../../shared/words/labels.ts';

const MOST_ROWS = 24;
const CAPTION_SIZE = 13;
const CAPTION_HEIGHT = 20;
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
  return barChart(
    state,
    analysis,
    isGrid ? effects : scenarioGroups(state, analysis, t, MOST_ROWS),
    width,
    t,
  );
}

export function barChart(
  state: RunState,
  analysis: Analysis,
  groups: ChartGroup[],
  width: number,
  t: Translate,
): ShareChart {
  const compared = isCompared(analysis);
  const hasPublished = groups.some(({ rows }) => rows.some(({ published }) => published !== null));
  const source = hasPublished ? sourceLines(state, analysis, width, t) : { lines: [], size: CAPTION_SIZE };
  const flags = flagNotes(analysis, t);
  const captions = CAPTION_HEIGHT * (1 + flags.length + source.lines.length);
  return {
    leastHeight: leastChartHeight(groups) + captions,
    draw: (box) => {
      const chart = chartSvg(
        groups,
        { ...box, height: box.height - captions },
        {
          reference: compared ? { value: 1, zone: equivalenceZone(analysis.equivalence) } : null,
          tickText: (tick) => chartTick(tick, compared, t),
        },
      );
      const bottom = box.y + box.height;
      return [
        chart,
        captionSvg(groups, analysis, compared, { ...box, y: bottom - captions + 15 }, t),
        ...flags.map(({ flag, text }, index) =>
          markSvg(flag, text, { ...box, y: bottom - captions + CAPTION_HEIGHT * (1 + index) + 15 }),
        ),
        sourceSvg(source, { x: box.x, y: bottom - captions + CAPTION_HEIGHT * (1 + flags.length) + 15 }),
      ].join('\n');
    },
  };
}

const MOST_SWEEPS = 6;

export function sweepChart(
  analysis: Analysis,
  width: number,
  t: Translate,
  mostSweeps = Infinity,
): ShareChart {
  const sweeps = analysis.sweeps.slice(0, mostSweeps);
  const flags = flagNotes(analysis, t);
  const notes = [
    t('report:sweep.curveNote'),
    ...(sweeps.length < analysis.sweeps.length
      ? [t('report:card.more', { count: analysis.sweeps.length - sweeps.length })]
      : []),
    ...[aaCheckText(analysis, t) ?? []].flat(),
    ...flags.map(({ flag, text }) => `${FLAG_SIGNS[flag]} ${text}`),
  ];
  const captions = CAPTION_HEIGHT * notes.length;
  return {
    leastHeight: leastSweepHeight(sweeps) + captions,
    draw: (box) => {
      const height = box.height - captions;
      return [
        sweepSvg(sweeps, { ...box, height }, t),
        ...notes.map((note, index) => {
          const fitted = fitText(note, { width, size: CAPTION_SIZE, minSize: 10 });
          const y = box.y + height + CAPTION_HEIGHT * index + 15;
          return svgText(box.x, y, fitted.lines.join(' '), { size: fitted.size, fill: INK.muted });
        }),
      ].join('\n');
    },
  };
}

function isCompared({ scenarios }: Analysis): boolean {
  return scenarios.some(({ isBaseline, measured }) => isBaseline && measured > 0);
}

/** A group for each factor: its levels, compared with the one in the title. */
export function effectGroups(analysis: Analysis, t: Translate): ChartGroup[] {
  return effectsByFactor(analysis).map(({ factor, effects }): ChartGroup => {
    const rows = effects.map((effect): ChartRow => {
      const { level, cost, verdict } = effectTexts(effect, analysis, t);
      const { ratio, pairs } = effect;
      const flags = analysis.scenarios.flatMap((one) =>
        pairs.some(({ scenarioId }) => scenarioId === one.id) ? one.flags : [],
      );
      return {
        ...NO_ROW,
        label: asSentence(level, t),
        value: ratio?.value ?? null,
        low: ratio?.low ?? null,
        high: ratio?.high ?? null,
        tone: effect.verdict,
        flags: [...new Set(flags)],
        verdict: [verdict, flagSigns([...new Set(flags)])].filter((part) => part !== '').join(' '),
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
      value: value(one),
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
  return error ? t('report:card.failed', { message: errorText(error, t).message }) : t('report:card.notRun');
}

const NO_ROW: ChartRow = {
  label: '',
  value: null,
  low: null,
  high: null,
  tone: 'inconclusive',
  flags: [],
  verdict: '',
  rates: [],
  remark: '',
  published: null,
};

function chartRow(
  scenario: ScenarioAnalysis,
  compared: boolean,
  tpcc: TpccFigures | undefined,
  t: Translate,
): ChartRow {
  const { ratio, measured, isBaseline, verdict, reference } = scenario;
  const settled = !isBaseline && (verdict === 'slower' || verdict === 'faster');
  const words =
    measured === 0 || !compared
      ? ''
      : settled && ratio !== null
        ? effectText(ratio, t)
        : verdictLabel(scenario, t);
  return {
    ...NO_ROW,
    low: compared ? (ratio?.low ?? null) : null,
    high: compared ? (ratio?.high ?? null) : null,
    tone: isBaseline ? 'baseline' : compared ? verdict : 'same',
    flags: scenario.flags,
    verdict: [words, flagSigns(scenario.flags)].filter((part) => part !== '').join(' '),
    rates: rateTexts(scenario, tpcc, t),
    // Another machine's rate only compares relative to its own baseline.
    published:
      reference === null || !compared
        ? null
        : {
            value: reference.ratio,
            text: t('report:card.publishedRatio', { ratio: formatRatio(reference.ratio) }),
          },
  };
}

function rateTexts({ tps }: ScenarioAnalysis, tpcc: TpccFigures | undefined, t: Translate): string[] {
  if (tps === null) return [];
  if (tpcc === undefined) return [t('report:card.tps', { tps: formatRate(tps) })];
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

function axisName({ rate }: Analysis, grouped: boolean) {
  if (rate === null) return grouped ? 'axisIn' : 'axis';
  return grouped ? 'axisSpeedIn' : 'axisSpeed';
}

function captionSvg(
  groups: ChartGroup[],
  analysis: Analysis,
  compared: boolean,
  { x, y, width }: Omit<Box, 'height'>,
  t: Translate,
): string {
  const style = { size: CAPTION_SIZE, fill: INK.muted } as const;
  const confidence = percentText(analysis.confidence, t);
  const axis = t(`report:card.${axisName(analysis, groups.length > 1)}`, { confidence });
  const noise = aaCheckText(analysis, t);
  const taken = compared ? textWidth(axis, CAPTION_SIZE) + 24 : 0;
  const fitted = fitText(noise ?? '', { width: width - taken, size: CAPTION_SIZE, minSize: 10 });
  return [
    ...(compared ? [svgText(x, y, axis, style)] : []),
    ...(noise === undefined
      ? []
      : [svgText(x + width, y, fitted.lines.join(' '), { ...style, size: fitted.size, anchor: 'end' })]),
  ].join('\n');
}

function markSvg(flag: Flag, note: string, { x, y, width }: Omit<Box, 'height'>): string {
  const room = { width: width - SWATCH, size: CAPTION_SIZE, minSize: 10 };
  const { lines, size } = fitText(`${FLAG_SIGNS[flag]} ${note}`, room);
  return [
    ...[INK.same, `url(#${flag})`].map((fill) => svgRect(x, y - 10, SWATCH - 8, 11, fill)),
    svgText(x + SWATCH, y, lines.join(' '), { size, fill: INK.muted }),
  ].join('\n');
}

function sourceLines(
  { plan }: RunState,
  analysis: Analysis,
  width: number,
  t: Translate,
): ReturnType<typeof fitText> {
  if (plan.reference === null) return { lines: [], size: CAPTION_SIZE };
  const source = t('report:card.published', { line: publishedText(plan.reference, t) });
  const text = isNormalized(analysis) ? source : `${source}. ${publishedBaselineText(analysis, t)}`;
  return fitText(text, {
    width: width - SWATCH,
    size: CAPTION_SIZE,
    oneLineFrom: 12,
    minSize: 11,
    lines: 2,
  });
}

function sourceSvg({ lines, size }: ReturnType<typeof fitText>, { x, y }: Pick<Box, 'x' | 'y'>): string {
  if (lines.length === 0) return '';
  return [
    svgFrame(x + 0.75, y - 10, SWATCH - 9.5, 10, INK.published, 1.5),
    ...lines.map((line, index) =>
      svgText(x + SWATCH, y + index * CAPTION_HEIGHT * 0.9, line, { size, fill: INK.muted }),
    ),
  ].join('\n');
}

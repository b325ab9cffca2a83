import { createTranslator, type Translate } from '../../shared/i18n.ts';
import type { Analysis, ScenarioAnalysis } from '../../shared/model/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { imageText, machineText, methodText } from '../../shared/provenance.ts';
import { equivalenceZone } from '../../shared/statistics/verdict.ts';
import { formatNumber, formatRate } from '../../shared/units.ts';
import {
  asSentence,
  effectText,
  headlineDetail,
  headlineText,
  noiseFloorText,
  percentText,
  verdictLabel,
} from '../../shared/wording.ts';
import { CHART_DEFINITIONS, chartSvg, type ChartRow } from './chart-svg.ts';
import { at, escapeXml, INK, svgRect, svgText } from './svg.ts';
import { fitText } from './text-metrics.ts';

const CARD_WIDTH = 1200;
const CARD_HEIGHT = 675;
/** More scenarios than this would be too small to read; the rest is counted. */
const MOST_ROWS = 12;
const MARGIN = 48;
const INNER = CARD_WIDTH - 2 * MARGIN;
const FOOT_TOP = 602;

/** A picture of a run, made to be shared: what came out, how sure it is, and on which machine. SVG, 1200 × 675. */
export function shareCard(state: RunState, analysis: Analysis): string {
  const t = createTranslator('en');
  const head = headSvg(state, analysis, t);
  const title = `${state.plan.preset.question} ${headlineText(analysis, t)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" font-family="Inter, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs><linearGradient id="sea" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${INK.deeper}"/><stop offset="0.55" stop-color="${INK.deep}"/><stop offset="1" stop-color="${INK.sea}"/></linearGradient>${CHART_DEFINITIONS}</defs>`,
    svgRect(0, 0, CARD_WIDTH, CARD_HEIGHT, INK.paper),
    head.svg,
    bodySvg(state, analysis, head.height, t),
    footSvg(state, analysis, t),
    '</svg>',
  ].join('\n');
}

function headSvg(state: RunState, analysis: Analysis, t: Translate): { svg: string; height: number } {
  const question = fitText(state.plan.preset.question, {
    width: INNER - 230,
    size: 19,
    minSize: 13,
    weight: 600,
  });
  const headline = fitText(headlineText(analysis, t), {
    width: INNER,
    size: 40,
    minSize: 24,
    weight: 700,
    lines: 2,
  });
  const lineHeight = headline.size * 1.18;
  const top = 54 + 22 + headline.size;
  const parts = [
    ...question.lines.map((line) =>
      svgText(MARGIN, 54, line, { size: question.size, weight: 600, fill: INK.pale }),
    ),
    ...headline.lines.map((line, index) =>
      svgText(MARGIN, top + index * lineHeight, line, {
        size: headline.size,
        weight: 700,
        fill: INK.paper,
      }),
    ),
  ];
  let y = top + (headline.lines.length - 1) * lineHeight + 36;
  const detail = fitText(headlineDetail(analysis, t), { width: INNER, size: 19, minSize: 13 });
  parts.push(svgText(MARGIN, y, detail.lines.join(' '), { size: detail.size, fill: '#d5e4f1' }));
  const care = careText(analysis, t);
  if (care !== undefined) {
    y += 29;
    const fitted = fitText(care, { width: INNER, size: 17, minSize: 12, weight: 600 });
    parts.push(
      svgText(MARGIN, y, fitted.lines.join(' '), { size: fitted.size, weight: 600, fill: INK.care }),
    );
  }
  const height = y + 24;
  return { svg: [svgRect(0, 0, CARD_WIDTH, height, 'url(#sea)'), markSvg(), ...parts].join('\n'), height };
}

/** The Whalemark mark: a fluke going under, and the name. */
function markSvg(): string {
  const fluke =
    'M20 33C20 25 19 20 15 17C10 13.500 4 12.500 1 4.500C8 3 15.500 5 20 11C24.500 5 32 3 39 4.500C36 12.500 30 13.500 25 17C21 20 20 25 20 33Z';
  const x = CARD_WIDTH - MARGIN - 168;
  return [
    `<g transform="translate(${at(x)} 28)"><path d="${fluke}" fill="${INK.paper}"/>`,
    `<path d="M4 35C9 31 14 31 20 35C26 39 31 39 36 35" fill="none" stroke="#4fb3d9" stroke-width="3" stroke-linecap="round"/></g>`,
    svgText(CARD_WIDTH - MARGIN, 56, 'Whalemark', {
      size: 22,
      weight: 700,
      fill: INK.paper,
      anchor: 'end',
    }),
  ].join('\n');
}

/** Remarks that a reader of nothing but the picture must have. */
function careText({ notices }: Analysis, t: Translate): string | undefined {
  const codes = new Set(notices.map(({ code }) => code));
  const remarks = [
    ...(codes.has('NOISE_FLOOR') ? [t('report:card.attentionNoise')] : []),
    ...(codes.has('STOPPED_EARLY') || codes.has('ENDED_EARLY') ? [t('report:card.attentionStopped')] : []),
    ...(codes.has('TRIALS_FAILED') ? [t('report:card.attentionFailed')] : []),
    ...(codes.has('IMAGE_SUBSTITUTED') ? [t('report:card.attentionImage')] : []),
    ...(codes.has('CLIENT_BOUND') ? [t('report:card.attentionClient')] : []),
    ...(codes.has('FEW_ROUNDS') ? [t('report:card.attentionFew')] : []),
  ];
  return remarks.length === 0 ? undefined : t('report:card.attention', { text: remarks.join(', ') });
}

function bodySvg(state: RunState, analysis: Analysis, top: number, t: Translate): string {
  const compared = analysis.scenarios.some(({ isBaseline, measured }) => isBaseline && measured > 0);
  const value = (one: ScenarioAnalysis): number | null => (compared ? (one.ratio?.value ?? null) : one.tps);
  const sorted = analysis.scenarios
    .filter(({ isNoiseFloor }) => !isNoiseFloor)
    .sort((a, b) => (value(b) ?? -1) - (value(a) ?? -1));
  const shown = sorted.length > MOST_ROWS ? sorted.slice(0, MOST_ROWS - 1) : sorted;
  const rows = shown.map((one) => chartRow(one, value(one), compared, remarkText(one, state, t), t));
  const hidden = sorted.length - shown.length;
  if (hidden > 0) rows.push({ ...NO_ROW, label: t('report:card.more', { count: hidden }) });

  const box = { x: MARGIN, y: top + 18, width: INNER, height: FOOT_TOP - 34 - (top + 18) };
  const chart = chartSvg(rows, box, {
    reference: compared ? { value: 1, zone: equivalenceZone(analysis.equivalence) } : null,
    tickText: (tick) => (compared ? `${trimmed(tick)}×` : formatRate(tick)),
  });
  const caption = { size: 13, fill: INK.muted } as const;
  const noise = noiseFloorText(analysis, t);
  return [
    chart,
    ...(compared
      ? [
          svgText(
            MARGIN,
            FOOT_TOP - 15,
            t('report:card.axis', { confidence: percentText(analysis.confidence, t) }),
            caption,
          ),
        ]
      : []),
    ...(noise === undefined
      ? []
      : [svgText(CARD_WIDTH - MARGIN, FOOT_TOP - 15, noise, { ...caption, anchor: 'end' })]),
  ].join('\n');
}

/** Why a scenario has no bar: what its first failed trial said. */
function remarkText({ id, measured }: ScenarioAnalysis, { trials }: RunState, t: Translate): string {
  if (measured > 0) return '';
  const error = trials.find(({ scenarioId, status }) => scenarioId === id && status === 'failed')?.error;
  return error ? t('report:card.failed', { message: error.message }) : t('report:card.notRun');
}

const NO_ROW: ChartRow = {
  label: '',
  value: null,
  low: null,
  high: null,
  tone: 'unsettled',
  verdict: '',
  rate: '',
  remark: '',
};

function chartRow(
  scenario: ScenarioAnalysis,
  value: number | null,
  compared: boolean,
  remark: string,
  t: Translate,
): ChartRow {
  const { ratio, measured, isBaseline, verdict } = scenario;
  const settled = !isBaseline && (verdict === 'slower' || verdict === 'faster');
  const rate = scenario.tps === null ? '' : t('report:card.tps', { tps: formatRate(scenario.tps) });
  return {
    label: asSentence(scenario.name, t),
    value,
    low: compared ? (ratio?.low ?? null) : null,
    high: compared ? (ratio?.high ?? null) : null,
    tone: isBaseline ? 'baseline' : compared ? verdict : 'same',
    verdict:
      measured === 0 || !compared
        ? ''
        : settled && ratio !== null
          ? effectText(ratio, t)
          : verdictLabel(scenario, t),
    rate,
    remark,
  };
}

function trimmed(tick: number): string {
  const decimals = Number.isInteger(Math.round(tick * 100) / 10) ? 1 : 2;
  return formatNumber(tick, Math.abs(tick - Math.round(tick)) < 1e-9 ? 0 : decimals);
}

/** Machine and method: two lines, or three when the machine needs two. */
function footSvg(state: RunState, analysis: Analysis, t: Translate): string {
  const machine = fitText(`${machineText(state, t)} · ${imageText(state.plan.image, t)}`, {
    width: INNER,
    size: 15,
    oneLineFrom: 12.5,
    minSize: 10,
    lines: 2,
  });
  const size = Math.min(15, machine.lines.length > 1 ? 13 : 15);
  const method = fitText(methodText(state, analysis, t), { width: INNER - 150, size, minSize: 10 });
  const lines = [
    ...machine.lines.map((text) => ({ text, size: Math.min(machine.size, size) })),
    ...method.lines.map((text) => ({ text, size: method.size })),
  ];
  const step = (CARD_HEIGHT - FOOT_TOP - 6) / (lines.length + 0.7);
  const y = (index: number): number => FOOT_TOP + step * (index + 1) + 5;
  return [
    svgRect(0, FOOT_TOP, CARD_WIDTH, CARD_HEIGHT - FOOT_TOP, INK.foot),
    ...lines.map((line, index) => svgText(MARGIN, y(index), line.text, { size: line.size, fill: INK.text })),
    svgText(
      CARD_WIDTH - MARGIN,
      y(lines.length - 1),
      t('report:card.version', { version: state.appVersion }),
      {
        size: 13,
        fill: INK.muted,
        anchor: 'end',
      },
    ),
  ].join('\n');
}

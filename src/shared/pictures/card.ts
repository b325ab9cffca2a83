import type { Translate } from '../words/i18n.ts';
import { hostCauseOf } from '../analysis/host-notices.ts';
import type { Analysis } from '../analysis/analysis.ts';
import type { RunState } from '../model/run-state.ts';
import { machineText, methodText, serversText } from '../words/provenance.ts';
import { headlineLines, headlineText, sweepSentence } from '../words/wording.ts';
import { BAR_PATTERNS } from './bars.ts';
import { shareChart } from './charts.ts';
import { at, escapeXml, ink, svgRect, svgText, withColors } from './svg.ts';
import { fitText } from './text.ts';

const CARD_WIDTH = 1200;
const LEAST_HEIGHT = 675;
const MARGIN = 48;
const INNER = CARD_WIDTH - 2 * MARGIN;
const FOOT_HEIGHT = 73;
const MOST_FINDINGS = 3;
const SEA = {
  deep: '#071a2e',
  middle: '#0a2540',
  shallow: '#12507b',
  pale: '#a9c8e2',
  care: '#ffcf5c',
  white: '#ffffff',
};

/** A picture of a run to share: result, certainty, machine. SVG of 1200 × 675, higher if scenarios need it. */
export function shareCard(state: RunState, analysis: Analysis, t: Translate): string {
  const head = headSvg(state, analysis, t);
  const chart = shareChart(state, analysis, INNER, t);
  const [above, below] = [head.height + 18, FOOT_HEIGHT + 10];
  const height = Math.max(LEAST_HEIGHT, Math.ceil(above + chart.leastHeight + below));
  const box = { x: MARGIN, y: above, width: INNER, height: height - above - below };
  const title = `${state.plan.preset.question} ${headlineText(analysis, t)}`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${height}" viewBox="0 0 ${CARD_WIDTH} ${height}" font-family="Inter, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs><linearGradient id="sea" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${SEA.deep}"/><stop offset="0.55" stop-color="${SEA.middle}"/><stop offset="1" stop-color="${SEA.shallow}"/></linearGradient>${BAR_PATTERNS}</defs>`,
    svgRect(0, 0, CARD_WIDTH, height, ink('surface')),
    head.svg,
    chart.draw(box),
    footSvg(state, analysis, height - FOOT_HEIGHT, t),
    '</svg>',
  ];
  return withColors(svg.join('\n'));
}

function headSvg(state: RunState, analysis: Analysis, t: Translate): { svg: string; height: number } {
  const question = fitText(state.plan.preset.question, {
    width: INNER - 230,
    size: 19,
    minSize: 13,
    weight: 600,
  });
  const findings = headlineLines(analysis, t).slice(0, MOST_FINDINGS);
  const parts = question.lines.map((line) =>
    svgText(MARGIN, 54, line, { size: question.size, weight: 600, fill: SEA.pale }),
  );
  let y = 54 + 18;
  const share =
    findings.length === 1 ? { size: 40, minSize: 24, lines: 2 } : { size: 30, minSize: 20, lines: 2 };
  for (const { text, detail } of findings) {
    const headline = fitText(text, { width: INNER, weight: 700, ...share });
    for (const line of headline.lines) {
      y += headline.size * 1.18;
      parts.push(svgText(MARGIN, y, line, { size: headline.size, weight: 700, fill: SEA.white }));
    }
    const fitted = fitText(detail, { width: INNER, size: 19, minSize: 13 });
    y += 28;
    parts.push(svgText(MARGIN, y, fitted.lines.join(' '), { size: fitted.size, fill: '#d5e4f1' }));
    y += 6;
  }
  y -= 6;
  if (analysis.sweeps.length > 0) {
    const knees = fitText(analysis.sweeps.map((sweep) => sweepSentence(sweep, t)).join(' · '), {
      width: INNER,
      size: 17,
      minSize: 13,
      weight: 600,
      lines: 3,
    });
    for (const line of knees.lines) {
      y += 27;
      parts.push(
        svgText(MARGIN, y, line.replace(/^· | ·$/, ''), { size: knees.size, weight: 600, fill: SEA.pale }),
      );
    }
  }
  const care = careText(analysis, t);
  if (care !== undefined) {
    y += 29;
    const fitted = fitText(care, { width: INNER, size: 17, minSize: 12, weight: 600 });
    parts.push(
      svgText(MARGIN, y, fitted.lines.join(' '), { size: fitted.size, weight: 600, fill: SEA.care }),
    );
  }
  const height = y + 24;
  return { svg: [svgRect(0, 0, CARD_WIDTH, height, 'url(#sea)'), markSvg(), ...parts].join('\n'), height };
}

function markSvg(): string {
  const fluke =
    'M20 33C20 25 19 20 15 17C10 13.500 4 12.500 1 4.500C8 3 15.500 5 20 11C24.500 5 32 3 39 4.500C36 12.500 30 13.500 25 17C21 20 20 25 20 33Z';
  const x = CARD_WIDTH - MARGIN - 168;
  return [
    `<g transform="translate(${at(x)} 28)"><path d="${fluke}" fill="${SEA.white}"/>`,
    `<path d="M4 35C9 31 14 31 20 35C26 39 31 39 36 35" fill="none" stroke="#4fb3d9" stroke-width="3" stroke-linecap="round"/></g>`,
    svgText(CARD_WIDTH - MARGIN, 56, 'Whalemark', {
      size: 22,
      weight: 700,
      fill: SEA.white,
      anchor: 'end',
    }),
  ].join('\n');
}

function careText({ notices }: Analysis, t: Translate): string | undefined {
  const codes = new Set(notices.map(({ code }) => code));
  const remarks = [
    ...(codes.has('AA_CHECK') ? [t('report:card.attentionNoise')] : []),
    ...(codes.has('STOPPED_EARLY') || codes.has('ENDED_EARLY') ? [t('report:card.attentionStopped')] : []),
    ...(codes.has('TRIALS_FAILED') ? [t('report:card.attentionFailed')] : []),
    ...(codes.has('IMAGE_SUBSTITUTED') ? [t('report:card.attentionImage')] : []),
    ...(codes.has('IMAGE_EMULATED') ? [t('report:card.attentionEmulated')] : []),
    ...(codes.has('LOAD_GENERATORS_DISAGREE') ? [t('report:card.attentionLoadGenerators')] : []),
    ...(codes.has('CLIENT_LIMITED') ? [t('report:card.attentionClient')] : []),
    ...[...new Set(notices.flatMap(({ code }) => hostCauseOf(code) ?? []))].map((cause) =>
      t(`report:card.attentionHost.${cause}`),
    ),
    ...(codes.has('FEW_ROUNDS') ? [t('report:card.attentionFew')] : []),
  ];
  return remarks.length === 0
    ? undefined
    : t('report:card.attention', { text: remarks.join(t('report:list.items')) });
}

/** Machine and method: two lines, or three. */
function footSvg(state: RunState, analysis: Analysis, top: number, t: Translate): string {
  const machine = fitText(`${machineText(state, t)} · ${serversText(state.plan, t)}`, {
    width: INNER,
    size: 15,
    oneLineFrom: 12.5,
    minSize: 10,
    lines: 2,
  });
  const size = Math.min(15, machine.lines.length > 1 ? 13 : 15);
  const method = fitText(methodText(state, analysis, t), { width: INNER - 150, size, minSize: 10 });
  const lines = [
    ...machine.lines.map((text) => ({ text: text.replace(/^· /, ''), size: Math.min(machine.size, size) })),
    ...method.lines.map((text) => ({ text, size: method.size })),
  ];
  const step = (FOOT_HEIGHT - 6) / (lines.length + 0.7);
  const y = (index: number): number => top + step * (index + 1) + 5;
  return [
    svgRect(0, top, CARD_WIDTH, FOOT_HEIGHT, ink('surface-2')),
    ...lines.map((line, index) =>
      svgText(MARGIN, y(index), line.text, { size: line.size, fill: ink('text') }),
    ),
    svgText(
      CARD_WIDTH - MARGIN,
      y(lines.length - 1),
      t('report:card.version', { version: state.appVersion }),
      {
        size: 13,
        fill: ink('text-2'),
        anchor: 'end',
      },
    ),
  ].join('\n');
}

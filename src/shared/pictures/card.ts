import { hostCauseOf } from '../analysis/host-notices.ts';
import type { Analysis } from '../analysis/analysis.ts';
import type { PlanReference } from '../model/reference.ts';
import type { RunState } from '../model/run-state.ts';
import { formatLatency } from '../units.ts';
import { percentText } from '../words/effect-wording.ts';
import type { Translate } from '../words/i18n.ts';
import {
  isNormalized,
  machineText,
  methodText,
  publishedBaselineText,
  publishedText,
  serversText,
} from '../words/provenance.ts';
import { choiceName, waterfallLead } from '../words/waterfall-wording.ts';
import { aaCheckText, FLAG_SIGNS, flagNotes, headlineLines, sweepSentence } from '../words/wording.ts';
import { barNodes, curveNodes } from './card-chart.ts';
import { box, picture, text, type CardNode } from './card-node.ts';
import { barUnit, cardGroups, type CardGroup } from './card-rows.ts';
import { legendOf, stackMostUs, stackNode, swatchSvg } from './stack.ts';
import { ink, svgFrame, svgRect } from './svg.ts';

const MOST_FINDINGS = 3;
const MOST_SWEEPS = 6;
const STACK_WIDTH = 660;
const SWATCH = { width: 26, height: 11 };
const FLUKE =
  '<path d="M20 33C20 25 19 20 15 17C10 13.5 4 12.5 1 4.5C8 3 15.500 5 20 11C24.500 5 32 3 39 4.500C36 12.500 30 13.500 25 17C21 20 20 25 20 33Z" fill="#fff"/>' +
  '<path d="M4 35C9 31 14 31 20 35C26 39 31 39 36 35" fill="none" stroke="#4fb3d9" stroke-width="3" stroke-linecap="round"/>';

/** 1200 × 675, higher if the scenarios need it. */
export function shareCard(state: RunState, analysis: Analysis, t: Translate): CardNode {
  const findings = headlineLines(analysis, t).slice(0, MOST_FINDINGS);
  const { sweeps } = analysis;
  const groups = sweeps.length > 0 ? [] : cardGroups(state, analysis, t);
  return box('card', [
    box('head', [
      box('brand', [
        text('question', state.plan.preset.question),
        picture(FLUKE, 40, 40),
        text('', 'Whalemark'),
      ]),
      ...findings.flatMap((finding) => [
        text(findings.length === 1 ? 'headline only' : 'headline', finding.text),
        text('detail', finding.detail),
      ]),
      ...sweeps.map((sweep) => text('knee', sweepSentence(sweep, t))),
      ...careNodes(analysis, t),
    ]),
    ...(sweeps.length > 0
      ? curveNodes(sweeps.slice(0, MOST_SWEEPS), t)
      : [barNodes(groups, barUnit(analysis), t)]),
    ...waterfallNodes(analysis, t),
    box('notes', noteNodes(state, analysis, groups, t)),
    box('foot', [
      text('fact', `${machineText(state, t)} · ${serversText(state.plan, t)}`),
      box('last', [
        text('fact', methodText(state, analysis, t)),
        text('version', t('report:card.version', { version: state.appVersion })),
      ]),
    ]),
  ]);
}

function waterfallNodes(analysis: Analysis, t: Translate): CardNode[] {
  const { scenarios, waterfall, baselineId } = analysis;
  const ids = [baselineId, waterfall?.largest?.scenarioId];
  const shown = scenarios.filter(({ id, parts }) => ids.includes(id) && parts.length > 0);
  const mostUs = stackMostUs(shown.map(({ parts }) => parts));
  const stacks = shown.map(({ parts }) => ({ parts, mostUs }));
  if (stacks.length === 0) return [];
  return [
    box('waterfall', [
      text('title', `${t('report:waterfall.title')} · ${waterfallLead(analysis, t)}`),
      ...shown.flatMap(({ id, latency }, index) => [
        text('label', choiceName(id, analysis, t)),
        ...stacks.slice(index, index + 1).map((stack) => stackNode(stack, STACK_WIDTH, t)),
        text('rate', formatLatency(latency?.meanUs ?? null, t.language)),
      ]),
      box(
        'legend',
        legendOf(stacks, t).flatMap(({ color, text: name }) =>
          color === '' ? [] : [picture(swatchSvg(color), 12, 12), text('small', name)],
        ),
      ),
    ]),
  ];
}

function careNodes({ notices }: Analysis, t: Translate): CardNode[] {
  const codes = new Set(notices.map(({ code }) => code));
  const remarks = [
    ...(codes.has('AA_CHECK') ? [t('report:aaCheck.short.failed')] : []),
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
  const said = remarks.join(t('report:list.items'));
  return said === '' ? [] : [text('care', t('report:card.attention', { text: said }))];
}

function noteNodes({ plan }: RunState, analysis: Analysis, groups: CardGroup[], t: Translate): CardNode[] {
  const { sweeps, task } = analysis;
  const isSweep = sweeps.length > 0;
  const axis = task !== null ? 'axisTask' : groups.length > 1 ? 'axisIn' : 'axis';
  const confidence = percentText(analysis.confidence, t);
  const noise = aaCheckText(analysis, t);
  const note = (said: string, swatch = ''): CardNode =>
    box('note', [
      ...(swatch === '' ? [] : [picture(swatch, SWATCH.width, SWATCH.height)]),
      text('small', said),
    ]);
  const filled = (fill: string): string => svgRect(0, 0, SWATCH.width, SWATCH.height, fill);
  const hasPublished = groups.some(({ rows }) => rows.some(({ published }) => published !== ''));
  const published = plan.reference === null || !hasPublished ? undefined : plan.reference;
  return [
    ...(isSweep ? [note(t('report:sweep.curveNote'))] : []),
    ...(sweeps.length > MOST_SWEEPS
      ? [note(t('report:card.more', { count: sweeps.length - MOST_SWEEPS }))]
      : []),
    ...(!isSweep && barUnit(analysis) !== 'rate' ? [note(t(`report:card.${axis}`, { confidence }))] : []),
    ...(noise === undefined ? [] : [note(noise)]),
    ...flagNotes(analysis, t).map(({ flag, text: said }) =>
      note(`${FLAG_SIGNS[flag]} ${said}`, isSweep ? '' : filled(ink('same')) + filled(`url(#${flag})`)),
    ),
    ...(published === undefined
      ? []
      : [
          note(
            publishedNote(published, analysis, t),
            svgFrame(0.75, 0.75, SWATCH.width - 1.5, SWATCH.height - 1.5, ink('text-2')),
          ),
        ]),
  ];
}

function publishedNote(reference: PlanReference, analysis: Analysis, t: Translate): string {
  const source = t('report:card.published', { line: publishedText(reference, t) });
  return isNormalized(analysis) ? source : `${source}. ${publishedBaselineText(analysis, t)}`;
}

import { messageText } from '../../shared/words/message-text.ts';
import { comparisonsOf, type Comparison } from '../../shared/analysis/comparisons.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { groupedNotices, type GroupedNotice } from '../../shared/words/grouped-notices.ts';
import { createTranslator, type Translate } from '../../shared/words/i18n.ts';
import {
  asSentence,
  headlineDetail,
  headlineText,
  MARK_SIGNS,
  markNotes,
  nameWithin,
  noiseFloorText,
  rampSentence,
  scenarioNameOf,
  whereText,
} from '../../shared/words/wording.ts';
import type { Analysis } from '../../shared/model/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import {
  imageContents,
  machineText,
  methodText,
  publishedBaselineText,
  publishedText,
  serversText,
} from '../../shared/words/provenance.ts';
import { tpccFigures } from '../../shared/analysis/tpcc-figures.ts';
import { formatCount } from '../../shared/words/units.ts';
import { whySentences } from '../../shared/words/why-wording.ts';
import { alignedTables, rampRows, tableRows } from './text-table.ts';

/** A run for a terminal: notices, headline, a line per scenario, method. */
export function renderText(state: RunState, analysis: Analysis): string {
  const t = createTranslator('en');
  const noise = noiseFloorText(analysis, t);
  const blocks = [
    [state.plan.preset.question],
    groupedNotices(analysis.notices, t).map((notice) => noticeLine(notice, analysis, t)),
    [headlineText(analysis, t), headlineDetail(analysis, t)],
    ...rampBlocks(analysis, t),
    ...tableBlocks(state, analysis, t),
    markNotes(analysis, t).map(({ mark, text }) => `${MARK_SIGNS[mark]} ${text}`),
    whyLines(analysis, t),
    [
      ...(noise === undefined ? [] : [noise]),
      ...rollbackLines(state, t),
      ...state.plan.excluded.map(({ name, reason }) =>
        t('report:text.excluded', { name, reason: messageText(reason, t) }),
      ),
      ...failureLines(state, t),
    ],
    [
      t('report:text.machine', { line: `${machineText(state, t)} · ${serversText(state.plan, t)}` }),
      ...imageContents(state.plan),
      t('report:text.method', { line: methodText(state, analysis, t) }),
      ...publishedLines(state, analysis, t),
      t('report:text.docs'),
    ],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(onOneLine).join('\n'))
    .join('\n\n')}\n`;
}

/** A line break in a name must not look like a line of ours. */
function onOneLine(line: string): string {
  // Runs of blanks at once: tables contain thousands.
  return line.replace(/[\s\u0085]+/g, (blanks) =>
    /[\n\r\v\f\u0085\u2028\u2029]/.test(blanks) ? ' ' : blanks,
  );
}

function rampBlocks({ ramps }: Analysis, t: Translate): string[][] {
  return alignedTables(ramps.map((ramp) => rampRows(ramp, t))).map((lines, index) => {
    const ramp = ramps[index];
    return ramp === undefined ? lines : [`${rampSentence(ramp, t)}.`, ...lines.map((line) => line.trimEnd())];
  });
}

/** One table, or one per baseline with the same columns. */
function tableBlocks(state: RunState, analysis: Analysis, t: Translate): string[][] {
  const comparisons = comparisonsOf(analysis);
  const tables = comparisons.map((comparison) => tableRows(comparison, state, analysis, t));
  return alignedTables(tables).map((lines, index) => {
    const comparison = comparisons[index];
    return comparison === undefined ? lines : [...comparisonLines(comparison, analysis, t), ...lines];
  });
}

function whyLines(analysis: Analysis, t: Translate): string[] {
  const sentences = whySentences(analysis, t);
  return sentences.length === 0
    ? []
    : [`${t('report:why.title')}:`, ...sentences.map(({ text }) => `  ${text}`)];
}

function comparisonLines(comparison: Comparison, analysis: Analysis, t: Translate): string[] {
  const where = whereText(comparison, t);
  if (where === undefined) return [];
  const baseline = nameWithin(comparison, analysis, comparison.baselineId, t);
  return [t('report:text.comparison', { where: asSentence(where, t), baseline })];
}

function noticeLine({ message, scenarioIds }: GroupedNotice, analysis: Analysis, t: Translate): string {
  if (scenarioIds.length === 0) return t('report:text.notice', { message });
  const name = scenarioIds.map((id) => scenarioNameOf(analysis, id)).join('; ');
  return t('report:text.noticeAbout', { message, name });
}

function failureLines(state: RunState, t: Translate): string[] {
  return failureGroups(state).map(({ scenarioId, error }) =>
    t('report:text.failed', { trial: scenarioId, message: `${error.message} [${error.code}]` }),
  );
}

/** Intentional rollbacks, apart from failures. */
function rollbackLines(state: RunState, t: Translate): string[] {
  const figures = tpccFigures(state);
  const list = state.plan.scenarios.flatMap(({ id, name }) => {
    const rollbacks = figures.get(id)?.rollbacks ?? 0;
    return rollbacks === 0 ? [] : [`${name} ${formatCount(rollbacks)}`];
  });
  return list.length === 0 ? [] : [t('report:text.rollbacks', { list: list.join('; ') })];
}

function publishedLines({ plan }: RunState, analysis: Analysis, t: Translate): string[] {
  if (plan.reference === null || analysis.scenarios.every(({ reference }) => reference === null)) return [];
  const { url } = plan.reference;
  return [
    t('report:text.published', {
      line: publishedText(plan.reference, t),
      normalised: publishedBaselineText(analysis, t),
      url: url === null ? '' : ` ${url}`,
    }),
  ];
}

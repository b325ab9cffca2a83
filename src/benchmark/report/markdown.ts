import { comparisonsOf } from '../../shared/analysis/comparisons.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { groupedNotices } from '../../shared/words/grouped-notices.ts';
import type { Translate } from '../../shared/words/i18n.ts';
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
  sharingText,
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
import { errorText, messageText } from '../../shared/words/message-text.ts';
import { whySentences } from '../../shared/words/why-wording.ts';
import type { Shareable } from '../privacy/shareable.ts';
import { rampRows, tableRows } from './text-table.ts';

/** A run for an issue or a post: headline, table, notices, conditions, and method. Without links. */
export function markdownReport({ state, sharing }: Shareable, analysis: Analysis, t: Translate): string {
  const noise = noiseFloorText(analysis, t);
  const blocks = [
    [`**${escapeMarkdown(headlineText(analysis, t))}**`],
    [escapeMarkdown(headlineDetail(analysis, t))],
    remarks(analysis, t),
    ...analysis.ramps.flatMap((ramp) => [
      [escapeMarkdown(rampSentence(ramp, t))],
      // Without the last column, which repeats the sentence's knee.
      table(
        rampRows(ramp, t).map((row) => row.slice(0, -1)),
        'figures',
      ),
    ]),
    ...comparisonsOf(analysis).flatMap((comparison) => {
      const where = whereText(comparison, t);
      const baseline = nameWithin(comparison, analysis, comparison.baselineId, t);
      return [
        ...(where === undefined
          ? []
          : [[escapeMarkdown(t('report:text.comparison', { where: asSentence(where, t), baseline }))]]),
        table(tableRows(comparison, state, analysis, t), 'words'),
      ];
    }),
    list([
      ...markNotes(analysis, t).map(({ mark, text }) => `${MARK_SIGNS[mark]} ${text}`),
      ...whySentences(analysis, t).map(({ text }) => text),
      ...(noise === undefined ? [] : [noise]),
      ...state.plan.excluded.map(({ name, reason }) =>
        t('report:text.excluded', { name, reason: messageText(reason, t) }),
      ),
      ...failureGroups(state).map(({ name, error }) =>
        t('report:text.failed', { trial: name, message: `${errorText(error, t).message} [${error.code}]` }),
      ),
      ...published(state, analysis, t),
    ]),
    [
      `${escapeMarkdown(t('report:text.machine', { line: `${machineText(state, t)} · ${serversText(state.plan, t)}` }))}  `,
      ...imageContents(state.plan).map((content) => `${escapeMarkdown(content)}  `),
      `${escapeMarkdown(t('report:text.method', { line: methodText(state, analysis, t) }))}  `,
      `${escapeMarkdown(t('report:share.source', { version: state.appVersion, run: state.runId }))}  `,
      escapeMarkdown(sharingText(sharing, t)),
    ],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function remarks(analysis: Analysis, t: Translate): string[] {
  return groupedNotices(analysis.notices, t).map(({ message, scenarioIds }) => {
    const name = scenarioIds.map((id) => scenarioNameOf(analysis, id)).join('; ');
    return `> ${escapeMarkdown(name === '' ? t('report:text.notice', { message }) : t('report:text.noticeAbout', { message, name }))}  `;
  });
}

function published({ plan }: RunState, analysis: Analysis, t: Translate): string[] {
  if (plan.reference === null || analysis.scenarios.every(({ reference }) => reference === null)) return [];
  const line = publishedText(plan.reference, t);
  return [t('report:text.published', { line, normalised: publishedBaselineText(analysis, t), url: '' })];
}

/** First column left, figures right. */
function table([header = [], ...rows]: string[][], last: 'words' | 'figures'): string[] {
  const line = (cells: string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  const words = last === 'words' ? header.length - 1 : 0;
  const sides = header.map((_, column) => (column === 0 || column === words ? ':--' : '--:'));
  return [line(header), `| ${sides.join(' | ')} |`, ...rows.map(line)];
}

function list(items: string[]): string[] {
  return items.map((item) => `- ${escapeMarkdown(item)}`);
}

/** One line without markup, HTML, links, and mentions (CommonMark § 2.4, GitHub's tables). */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\`*{}[\]<>|~$&#]/g, '\\$&')
      // Inside a word it has no meaning.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      // Would begin a list.
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
      .replace(/^[-+=]/, '\\$&')
      // GitHub links bare text; an invisible word joiner prevents it.
      .replace(/:\/\//g, ':\u2060//')
      .replace(/\bwww\./gi, 'www\u2060.')
      .replace(/@(?=\w)/g, '@\u2060')
  );
}

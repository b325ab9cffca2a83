import type { Analysis } from '../../shared/analysis/analysis.ts';
import {
  type AdviceItem,
  type Block,
  type Section,
  sectionsIn,
  type Table,
} from '../../shared/document/blocks.ts';
import { documentOf } from '../../shared/document/document.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import type { Shareable } from '../privacy/shareable.ts';
import { headingText, onOneLine, plainLines, shortCell, tableLines } from './text.ts';
import { utcText } from './utc-text.ts';

export function markdownReport({ state, sharing }: Shareable, analysis: Analysis, t: Translate): string {
  return sectionsMarkdown(documentOf(state, analysis, { t, sharing, dateText: utcText(t) }), t);
}

export function sectionsMarkdown(sections: readonly Section[], t: Translate): string {
  const paragraphs = sectionsIn('short', sections).flatMap(({ title, blocks }) => [
    ...(title === null ? [] : [escapeMarkdown(title)]),
    ...blocks.map((block) => linesOf(block, t).join('\n')),
  ]);
  return `${paragraphs.join('\n\n')}\n`;
}

function linesOf(block: Block, t: Translate): string[] {
  switch (block.kind) {
    case 'headline':
      return block.findings.flatMap(({ text, detail }, index) => [
        ...(index === 0 ? [] : ['']),
        `**${escapeMarkdown(text)}**`,
        '',
        escapeMarkdown(detail),
      ]);
    case 'advice': {
      const { keep, items, others, more } = block;
      return [
        ...(keep === undefined ? [] : [escapeMarkdown(keep), '']),
        ...items.flatMap(({ title, gain, cost, ...item }, index) => [
          `${index + 1}. **${escapeMarkdown(title)}.** ${sentences([gain, cost, item.text, item.link])}`,
          ...snippetLines(item.snippet, '   '),
        ]),
        ...others.flatMap(({ line, item }) => [
          '',
          sentences([line, item.text, item.link]),
          ...snippetLines(item.snippet, ''),
        ]),
        ...(more === undefined ? [] : ['', escapeMarkdown(more)]),
      ];
    }
    case 'table':
      return block.columns.some(({ kind }) => kind === 'stack') ? stacks(block) : table(block);
    default: {
      const { mark, lines } = plainLines(block, t);
      return lines.map((line) => MARKS[mark](escapeMarkdown(line)));
    }
  }
}

const MARKS = {
  quote: (line: string) => `> ${line}  `,
  item: (line: string) => `- ${line}`,
  line: (line: string) => `${line}  `,
  text: (line: string) => line,
};

function sentences(parts: readonly (string | null)[]): string {
  return parts.flatMap((part) => (part === null || part === '' ? [] : [escapeMarkdown(part)])).join(' ');
}

function snippetLines(snippet: AdviceItem['snippet'], indent: string): string[] {
  if (snippet === null) return [];
  const lines = [`\`\`\`${snippet.language}`, ...snippet.excerpt.map(({ text }) => text), '```'];
  return ['', ...lines.map((line) => `${indent}${line}`), ''];
}

/** Letters are equally wide in code. */
function stacks(block: Table): string[] {
  return tableLines(block).map((line) => `    ${onOneLine(line)}`);
}

/** Markdown tables have no group headings. */
function table({ columns, groups }: Table): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const isLeft = ({ kind }: (typeof columns)[number]): boolean => kind === 'name' || kind === 'words';
  const rest = columns.slice(1).map(() => '');
  return [
    line(columns.map(({ title }) => escapeMarkdown(title))),
    line(columns.map((column) => (isLeft(column) ? ':--' : '--:'))),
    ...groups.flatMap(({ heading, note, rows }) => [
      ...(heading === null ? [] : [line([`**${escapeMarkdown(headingText(heading, note))}**`, ...rest])]),
      ...rows.map(({ cells }) => line(cells.map((cell) => escapeMarkdown(shortCell(cell))))),
    ]),
  ];
}

/** No markup, HTML, links, or mentions (CommonMark § 2.4, GitHub's tables). */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\`*{}[\]<>|~$&#]/g, '\\$&')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
      .replace(/^[-+=]/, '\\$&')
      // A word joiner keeps GitHub from linking bare text.
      .replace(/:\/\//g, ':\u2060//')
      .replace(/\bwww\./gi, 'www\u2060.')
      .replace(/@(?=\w)/g, '@\u2060')
  );
}

import type { Translate } from '../../shared/words/i18n.ts';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import type { Shareable } from '../privacy/shareable.ts';
import { summaryBlocks, type SummaryBlock } from './document.ts';

export function markdownReport({ state, sharing }: Shareable, analysis: Analysis, t: Translate): string {
  const blocks = summaryBlocks(state, analysis, t, sharing);
  return `${blocks.map((block) => linesOf(block, t).join('\n')).join('\n\n')}\n`;
}

function linesOf(block: SummaryBlock, t: Translate): string[] {
  switch (block.kind) {
    case 'headline':
      return block.findings.flatMap(({ text, detail }, index) => [
        ...(index === 0 ? [] : ['']),
        `**${escapeMarkdown(text)}**`,
        '',
        escapeMarkdown(detail),
      ]);
    case 'advice':
      return block.items.flatMap(({ title, text, gain, cost, link, snippet }, index) => [
        `${index + 1}. **${escapeMarkdown(title)}.** ${[gain, text, cost, link]
          .flatMap((part) => (part === null ? [] : [escapeMarkdown(part)]))
          .join(' ')}`,
        ...(snippet === null
          ? []
          : [
              '',
              `   \`\`\`${snippet.language}`,
              ...snippet.text.split('\n').map((line) => `   ${line}`),
              '   ```',
              '',
            ]),
      ]);
    case 'subheading':
      return [escapeMarkdown(block.text)];
    case 'notices':
      return block.items.map(({ about, text: message }) => {
        const note =
          about === ''
            ? t('report:text.notice', { message })
            : t('report:text.noticeAbout', { message, name: about });
        return `> ${escapeMarkdown(note)}  `;
      });
    case 'table':
      return table(block.rows, block.words);
    case 'list':
      return block.items.map((item) => `- ${escapeMarkdown(item)}`);
    case 'lines':
      return block.lines.map((line) => `${escapeMarkdown(line)}  `);
  }
}

function table([header = [], ...rows]: string[][], words: readonly number[] = []): string[] {
  const line = (cells: string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  const sides = header.map((_, column) => (column === 0 || words.includes(column) ? ':--' : '--:'));
  return [line(header), `| ${sides.join(' | ')} |`, ...rows.map(line)];
}

/** One line without markup, HTML, links, and mentions (CommonMark § 2.4, GitHub's tables). */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\`*{}[\]<>|~$&#]/g, '\\$&')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
      .replace(/^[-+=]/, '\\$&')
      // GitHub links bare text; an invisible word joiner prevents it.
      .replace(/:\/\//g, ':\u2060//')
      .replace(/\bwww\./gi, 'www\u2060.')
      .replace(/@(?=\w)/g, '@\u2060')
  );
}

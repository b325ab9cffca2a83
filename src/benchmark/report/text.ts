import stringWidth from 'string-width';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { summaryBlocks, type SummaryBlock } from './document.ts';

const MOST_CHARACTERS = 200;

export function renderText(state: RunState, analysis: Analysis): string {
  const blocks = summaryBlocks(state, analysis, t);
  const paragraphs = blocks.map((block) => linesOf(block, blocks).map(onOneLine).join('\n'));
  return `${paragraphs.reduce((text, next, index) => {
    return text + (blocks[index - 1]?.kind === 'subheading' ? '\n' : '\n\n') + next;
  })}\n`;
}

function linesOf(block: SummaryBlock, all: readonly SummaryBlock[]): readonly string[] {
  switch (block.kind) {
    case 'headline':
      return [
        block.question,
        ...block.findings.flatMap(({ text, detail }) => [
          '',
          text,
          ...(detail === '' ? [] : [`  ${detail}`]),
        ]),
      ];
    case 'advice':
      return block.items.flatMap(({ title, text, gain, cost, link, snippet }, index) => [
        `${index + 1}. ${title}`,
        ...[gain, text, cost, link].flatMap((line) => (line === null ? [] : [`   ${line}`])),
        ...(snippet === null ? [] : snippet.text.split('\n').map((line) => `     ${line}`)),
      ]);
    case 'subheading':
      return [block.text];
    case 'notices':
      return block.items.map(({ about, text: message }) =>
        about === ''
          ? t('report:text.notice', { message })
          : t('report:text.noticeAbout', { message, name: about }),
      );
    case 'table': {
      const { group } = block;
      const tables = all.flatMap((one) => (one.kind === 'table' && one.group === group ? [one.rows] : []));
      return alignedTables(tables)[tables.indexOf(block.rows)] ?? [];
    }
    case 'list':
      return block.items;
    case 'lines':
      return block.lines;
  }
}

/** A line break in a name must not look like one of Whalemark's lines. */
function onOneLine(line: string): string {
  return line.replace(/[\s\u0085]+/g, (blanks) =>
    /[\n\r\v\f\u0085\u2028\u2029]/.test(blanks) ? ' ' : blanks,
  );
}

function shortened(cell: string): string {
  return cell.length <= MOST_CHARACTERS ? cell : `${[...cell].slice(0, MOST_CHARACTERS).join('')}…`;
}

export function alignedTables(cells: readonly string[][][]): string[][] {
  const tables = cells.map((rows) => rows.map((row) => row.map(shortened)));
  const all = tables.flat();
  const widths = (all[0] ?? []).map((_, column) =>
    Math.max(...all.map((row) => stringWidth(row[column] ?? ''))),
  );
  const last = widths.length - 1;
  const line = (row: string[]): string =>
    row
      .map((cell, column) => {
        const fill = ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
        if (column === last) return cell;
        return column === 0 ? cell + fill : fill + cell;
      })
      .join('  ')
      .trimEnd();
  return tables.map((rows) => rows.map(line));
}

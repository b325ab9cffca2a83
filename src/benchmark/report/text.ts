import stringWidth from 'string-width';
import {
  type AdviceItem,
  type Block,
  cellText,
  type Section,
  sectionsIn,
  type Table,
  withoutColumns,
} from '../../shared/document/blocks.ts';
import { documentOf } from '../../shared/document/document.ts';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { ENGLISH as t, type Translate } from '../../shared/words/i18n.ts';
import { FLAG_SIGNS, flagSigns } from '../../shared/words/wording.ts';
import { utcText } from './utc-text.ts';

const MOST_CHARACTERS = 200;

export function renderText(state: RunState, analysis: Analysis, isBrief = false): string {
  return sectionsText(documentOf(state, analysis, { t, dateText: utcText(t) }), isBrief);
}

export function sectionsText(all: readonly Section[], isBrief = false): string {
  const sections = sectionsIn('short', all);
  const texts = (isBrief ? briefly(sections) : sections).map(({ title, blocks }) => {
    const paragraphs = blocks.map((block) => linesOf(block).map(onOneLine));
    const text = isBrief
      ? paragraphs.flatMap((lines) => lines.filter((line) => line !== '')).join('\n')
      : paragraphs.map((lines) => lines.join('\n')).join('\n\n');
    return `${title === null ? '' : `${onOneLine(title)}\n`}${text}`;
  });
  return `${texts.join('\n\n')}\n`;
}

function briefly(sections: readonly Section[]): Section[] {
  const own = sections.filter(({ level }) => level === 'answer');
  const short = own.map(({ summary, ...section }): Section => {
    const items = [(summary ?? []).map(({ text }) => text).join(' · ')];
    return {
      ...section,
      blocks: summary === undefined ? section.blocks.map(briefBlock) : [{ kind: 'lines', items }],
    };
  });
  const isSure = ({ id }: Section): boolean => id === 'sure';
  return [...short.filter((one) => !isSure(one)), ...short.filter(isSure)];
}

function briefBlock(block: Block): Block {
  if (block.kind === 'table') return withoutColumns(block, ({ isMore = false }) => isMore);
  if (block.kind !== 'advice') return block;
  const brief = (item: AdviceItem): AdviceItem => ({ ...item, text: '', link: null, snippet: null });
  return {
    ...block,
    items: block.items.map(brief),
    others: block.others.map(({ line, item }) => ({ line, item: brief(item) })),
  };
}

function linesOf(block: Block): readonly string[] {
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
    case 'advice': {
      const { keep, items, others, more } = block;
      return [
        ...(keep === undefined ? [] : [keep]),
        ...items.flatMap(({ title, gain, cost, ...how }, index) => [
          `${index + 1}. ${title}`,
          ...[gain, cost].flatMap((line) => (line === null ? [] : [`   ${line}`])),
          ...howLines(how),
        ]),
        ...others.flatMap(({ line, item }) => [line, ...howLines(item)]),
        ...(more === undefined ? [] : [more]),
      ];
    }
    case 'table':
      return tableLines(block);
    default:
      return plainLines(block, t).lines;
  }
}

type PlainBlock = Exclude<Block, { kind: 'headline' | 'advice' | 'table' }>;

/** `mark` is for Markdown. */
export function plainLines(
  block: PlainBlock,
  t: Translate,
): { mark: 'quote' | 'item' | 'line' | 'text'; lines: readonly string[] } {
  switch (block.kind) {
    case 'notices': {
      const lines = [...block.items, ...block.others].map(({ about, text: message }) =>
        about === ''
          ? t('report:text.notice', { message })
          : t('report:text.noticeAbout', { message, name: about }),
      );
      return { mark: 'quote', lines };
    }
    case 'problems': {
      const lines = block.items.map(({ title, text, failure }) => {
        const value = failure === undefined ? text : `${text} [${failure.error.code}]`;
        return t('report:list.named', { name: title, value });
      });
      return { mark: 'item', lines };
    }
    case 'notes': {
      const lines = block.items.map(({ text, flag }) =>
        flag === undefined ? text : `${FLAG_SIGNS[flag]} ${text}`,
      );
      return { mark: 'item', lines };
    }
    case 'facts':
      return {
        mark: 'item',
        lines: block.items.map(([name, value]) => t('report:list.named', { name, value })),
      };
    case 'list':
    case 'order':
    case 'curves':
      return { mark: 'item', lines: block.items };
    case 'lines':
    case 'codes':
      return { mark: 'line', lines: block.items };
    case 'legend': {
      const signs = block.items.flatMap(({ sign, text }) => (sign === '' ? [] : [`${sign} ${text}`]));
      return { mark: 'line', lines: [block.text, signs.join('  ')] };
    }
    case 'subheading':
    case 'lead':
      return { mark: 'text', lines: [block.text] };
    case 'slot':
      return { mark: 'text', lines: [] };
  }
}

function howLines({ text, link, snippet }: Pick<AdviceItem, 'text' | 'link' | 'snippet'>): string[] {
  return [
    ...[text, link].flatMap((line) => (line === null || line === '' ? [] : [`   ${line}`])),
    ...(snippet?.excerpt ?? []).map((line) => `     ${line.text}`),
  ];
}

/** A name's line break must not look like Whalemark's own. */
export function onOneLine(line: string): string {
  return line.replace(/[\s\u0085]+/g, (blanks) =>
    /[\n\r\v\f\u0085\u2028\u2029]/.test(blanks) ? ' ' : blanks,
  );
}

export function shortCell(cell: Parameters<typeof cellText>[0]): string {
  const flags = typeof cell === 'object' && 'text' in cell ? (cell.flags ?? []) : [];
  return `${cellText(cell)} ${flagSigns(flags)}`.trimEnd();
}

export function tableLines({ columns, groups, isHeadless }: Table): string[] {
  const header = columns.map(({ title }) => (isHeadless === true ? '' : title));
  const rows = groups.flatMap((group) => group.rows.map(({ cells }) => cells.map(shortCell)));
  const left = columns.flatMap(({ kind }, at) => (kind === 'name' || kind === 'stack' ? [at] : []));
  const [head = '', ...lines] = alignedTable([header, ...rows], left);
  let at = 0;
  return [
    ...(isHeadless === true ? [] : [head]),
    ...groups.flatMap(({ heading, note, rows: own }) => {
      const named = heading === null ? [] : [headingText(heading, note)];
      at += own.length;
      return [...named, ...lines.slice(at - own.length, at)];
    }),
  ];
}

export function headingText(heading: string, note: string | undefined): string {
  return note === undefined ? `${heading}:` : `${heading}, ${note}:`;
}

function shortened(cell: string): string {
  return cell.length <= MOST_CHARACTERS ? cell : `${[...cell].slice(0, MOST_CHARACTERS).join('')}…`;
}

export function alignedTable(cells: string[][], left: readonly number[] = [0]): string[] {
  const rows = cells.map((row) => row.map(shortened));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const last = widths.length - 1;
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const fill = ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
        if (column === last) return cell;
        return left.includes(column) ? cell + fill : fill + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}

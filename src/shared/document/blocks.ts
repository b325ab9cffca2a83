import type { AppPlace, Flag, Sweep } from '../analysis/analysis.ts';
import type { Snippet } from '../analysis/advice.ts';
import type { Sharing } from '../model/sharing.ts';
import type { Bar, Tone } from '../pictures/bars.ts';
import { stackText, type LegendItem, type Stack } from '../pictures/stack.ts';
import type { Action, AdviceText } from '../words/advice-wording.ts';
import type { Fact } from '../words/facts.ts';
import type { Translate } from '../words/i18n.ts';
import type { Figure } from '../words/method.ts';
import type { ErrorData } from '../errors.ts';

export interface Saying {
  t: Translate;
  /** Absent if nothing is shared. */
  sharing?: Sharing;
  dateText: (at: number) => string;
}

export const FOLDS = ['why', 'numbers', 'reproduce'] as const;
export type Level = 'answer' | (typeof FOLDS)[number] | 'end';

export interface Section {
  id: string;
  /** Null for the beginning and end of a document. */
  title: string | null;
  level: Level;
  figure?: Figure;
  /** For lack of room, a summary replaces the folded section. */
  summary?: { text: string; tone: '' | 'warn' | 'bad' }[];
  /** Folded where that is possible. */
  isLong?: boolean;
  blocks: Block[];
}

/** Short documents (terminal, Markdown) skip `isFull` blocks. */
export type Block = Content & { isFull?: boolean };

type Content =
  | { kind: 'headline'; question: string; findings: { text: string; detail: string }[] }
  | {
      kind: 'advice';
      app: AppPlace;
      keep: string | undefined;
      items: AdviceItem[];
      others: OtherAdvice[];
      more: string | undefined;
    }
  | { kind: 'notices'; items: NoticeItem[]; others: NoticeItem[] }
  | { kind: 'subheading' | 'lead'; text: string }
  | { kind: 'list' | 'lines' | 'order'; items: string[] }
  | { kind: 'notes'; items: Note[] }
  | { kind: 'legend'; text: string; items: LegendItem[] }
  | { kind: 'curves'; sweeps: readonly Sweep[]; items: string[] }
  | { kind: 'facts'; items: Fact[] }
  | { kind: 'codes'; summary: string | null; items: readonly string[] }
  | { kind: 'problems'; items: Problem[] }
  /** Place for a component that only the window has. */
  | { kind: 'slot'; name: 'actions' | 'baselines' | 'charts' | 'preset' }
  | Table;

export interface AdviceItem extends AdviceText {
  action: Action;
  snippet: Snippet | null;
}

export interface OtherAdvice {
  line: string;
  item: AdviceItem;
}

export interface NoticeItem {
  about: string;
  text: string;
  isFact: boolean;
}

/** `flag`: the pattern that it explains. */
export interface Note {
  text: string;
  flag?: Flag;
}

export interface Problem {
  title: string;
  text: string;
  /** `scenarioId`: its server has more evidence. */
  failure?: { error: ErrorData; scenarioId: string; hint: string; evidence: readonly string[] };
}

export interface Table {
  kind: 'table';
  name: string;
  columns: Column[];
  groups: TableGroup[];
  /** Folded behind a chart that shows the same. */
  isFolded?: boolean;
  /** Window and terminal show no heads. */
  isHeadless?: boolean;
  isDense?: boolean;
}

export interface Column {
  title: string;
  /** Short documents lack bars, but draw stacks with letters. */
  kind: 'name' | 'words' | 'number' | 'bar' | 'stack' | 'code';
  figure?: Figure;
  /** Only short documents have the block. */
  isShort?: boolean;
  /** Short documents skip these lines. */
  isMore?: boolean;
}

export interface TableGroup {
  heading: string | null;
  note?: string;
  state?: { text: string; isGood: boolean };
  rows: Row[];
}

export interface Row {
  cells: Cell[];
  isMuted?: boolean;
}

/** `about`: a tooltip of the text. */
export type Cell =
  | string
  | { text: string; tone?: Tone; flags?: readonly Flag[]; badge?: string; about?: string }
  | { bar: Bar }
  | { stack: Stack };

export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if ('stack' in cell) return stackText(cell.stack);
  return 'bar' in cell ? '' : cell.text;
}

/** `words`: columns of text after the first. */
export function tableOf(name: string, [header = [], ...rows]: string[][], words: readonly number[]): Table {
  return {
    kind: 'table',
    name,
    columns: header.map((title, column) => ({ title, kind: kindOf(column, words) })),
    groups: [{ heading: null, rows: rows.map((cells) => ({ cells })) }],
  };
}

function kindOf(column: number, words: readonly number[]): Column['kind'] {
  if (column === 0) return 'name';
  return words.includes(column) ? 'words' : 'number';
}

export function withContent(sections: Section[]): Section[] {
  return sections
    .map((section) => ({ ...section, blocks: section.blocks.filter(hasContent) }))
    .filter(({ blocks }) => blocks.some(({ kind }) => kind !== 'lead' && kind !== 'subheading'));
}

function hasContent(block: Block): boolean {
  if (block.kind === 'advice') return true;
  if (block.kind === 'table') return block.groups.some(({ rows }) => rows.length > 0);
  return !('items' in block) || block.items.length > 0;
}

/** Terminal and Markdown are short; only the window has slots. */
type Form = 'short' | 'page' | 'window';

export function sectionsIn(form: Form, sections: readonly Section[]): Section[] {
  const isLeftOut = ({ kind, isShort = false }: Column): boolean =>
    form === 'short' ? kind === 'bar' : isShort;
  const own = sections.map((section) => ({
    ...section,
    blocks: section.blocks
      .filter(({ kind, isFull }) => !(kind === 'slot' && form !== 'window') && !(isFull && form === 'short'))
      .map((block) => (block.kind === 'table' ? withoutColumns(block, isLeftOut) : block)),
  }));
  return withContent(own);
}

export function withoutColumns<T extends Table>(table: T, isLeftOut: (column: Column) => boolean): T {
  const isKept = (_: unknown, at: number): boolean => {
    const column = table.columns[at];
    return column !== undefined && !isLeftOut(column);
  };
  return {
    ...table,
    columns: table.columns.filter(isKept),
    groups: table.groups.map((group) => ({
      ...group,
      rows: group.rows.map((row) => ({ ...row, cells: row.cells.filter(isKept) })),
    })),
  };
}

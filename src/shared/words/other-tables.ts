import type { Analysis } from '../model/analysis.ts';
import type { Translate } from './i18n.ts';
import type { Figure } from './method.ts';
import { publishedNotes, publishedRows } from './published-wording.ts';
import { steadinessRows, steadinessSentences } from './steadiness-wording.ts';
import { transactionRows } from './transaction-wording.ts';

/** A table that only some runs have. */
interface OtherTable {
  id: 'published' | 'steadiness' | 'transactions';
  title: string;
  lead: string;
  figure: Figure;
  /** The first row is the header. */
  rows: string[][];
  /** Columns of words, next to the first; the others are numbers. */
  words: number[];
  sentences: string[];
  notes: string[];
}

export function otherTables(analysis: Analysis, t: Translate): OtherTable[] {
  const tables: OtherTable[] = [
    {
      id: 'published',
      title: t('report:published.title'),
      lead: t('report:published.lead'),
      figure: 'published',
      rows: publishedRows(analysis, t),
      words: [1],
      sentences: [],
      notes: publishedNotes(analysis, t),
    },
    {
      id: 'steadiness',
      title: t('report:steadiness.title'),
      lead: t('report:steadiness.lead'),
      figure: 'steadiness',
      rows: steadinessRows(analysis, t),
      words: [5],
      sentences: steadinessSentences(analysis, t),
      notes: [],
    },
    {
      id: 'transactions',
      title: t('report:transactions.title'),
      lead: t('report:transactions.lead'),
      figure: 'tpcc',
      rows: transactionRows(analysis, t),
      words: [1],
      sentences: [],
      notes: [],
    },
  ];
  return tables.filter(({ rows, notes }) => rows.length > 0 || notes.length > 0);
}

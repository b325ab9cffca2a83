import type { Analysis } from '../analysis/analysis.ts';
import { TPCC_TYPES } from '../model/workload.ts';
import { durabilitySentences, durabilityTable } from './durability-wording.ts';
import { percentText } from './effect-wording.ts';
import { figureTitle } from './figures.ts';
import type { Translate } from './i18n.ts';
import { rowName } from './labels.ts';
import type { Figure } from './method.ts';
import { publishedNotes, publishedRows } from './published-wording.ts';
import { steadinessRows, steadinessSentences } from './steadiness-wording.ts';
import { formatLatency } from '../units.ts';

interface OtherTable {
  id: 'durability' | 'published' | 'steadiness' | 'transactions';
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
      id: 'durability',
      title: t('report:flushes.title'),
      lead: t('report:flushes.lead'),
      figure: 'flush',
      ...durabilityTable(analysis, t),
      sentences: durabilitySentences(analysis, t),
      notes: [],
    },
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
  return tables.filter(({ rows, notes, sentences }) =>
    [rows, notes, sentences].some((one) => one.length > 0),
  );
}

const COLUMNS = [
  'ui:result.scenario',
  'report:transactions.columns.type',
  'report:transactions.columns.share',
] as const;
const FIGURES = ['mean', 'p50', 'p95', 'p99', 'max'] as const;

/** The first row is the header; empty without types. */
function transactionRows(analysis: Analysis, t: Translate): string[][] {
  const rows = analysis.scenarios.flatMap((scenario) =>
    TPCC_TYPES.flatMap((type) => {
      const one = scenario.figures.transactionTypes[type];
      if (one === undefined) return [];
      return [
        [
          rowName(scenario, analysis, t),
          t(`report:transactions.types.${type}`),
          `${percentText(one.each, t)}%`,
          ...FIGURES.map((figure) => formatLatency(one[`${figure}Us`], t.language)),
        ],
      ];
    }),
  );
  if (rows.length === 0) return [];
  const header = COLUMNS.map((column) => t(column));
  return [[...header, ...FIGURES.map((figure) => figureTitle(figure, t))], ...rows];
}

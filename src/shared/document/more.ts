import type { Analysis } from '../analysis/analysis.ts';
import type { RunState } from '../model/run-state.ts';
import { failureGroups } from '../run/failures.ts';
import { TPCC_TYPES } from '../model/workload.ts';
import { formatLatency } from '../units.ts';
import { durabilitySentences, durabilityTable } from '../words/durability-wording.ts';
import { asSentence, percentText } from '../words/effect-wording.ts';
import { figureTitle } from '../words/figures.ts';
import { errorText, messageText, type Translate } from '../words/i18n.ts';
import { labelsText, labelText, rowName } from '../words/labels.ts';
import type { Figure } from '../words/method.ts';
import { publishedNotes, publishedRows } from '../words/published-wording.ts';
import { steadinessRows, steadinessSentences } from '../words/steadiness-wording.ts';
import { type Level, type Problem, type Section, tableOf } from './blocks.ts';

export function failedSection(run: RunState, level: Level, t: Translate): Section {
  const items = failureGroups(run).map(({ labels, scenarioId, rounds, error }): Problem => {
    const { message, hint, evidence } = errorText(error, t);
    const name = labelsText(labels, t);
    const about = { name, rounds: rounds.join(t('report:list.items')), count: rounds.length };
    return {
      title: t('ui:result.problemTitle', about),
      text: message,
      failure: { error, scenarioId, hint, evidence },
    };
  });
  return { id: 'problems', title: t('ui:result.problems'), level, blocks: [{ kind: 'problems', items }] };
}

export function excludedSection({ plan }: RunState, level: Level, t: Translate): Section {
  const byReason = new Map<string, string[]>();
  for (const { label, reason } of plan.excluded) {
    const text = messageText(reason, t);
    byReason.set(text, [...(byReason.get(text) ?? []), labelText(label, t)]);
  }
  const items = [...byReason].map(([text, names]): Problem => ({
    title: asSentence(names.join(t('report:list.clauses')), t),
    text,
  }));
  return { id: 'excluded', title: t('ui:result.excluded'), level, blocks: [{ kind: 'problems', items }] };
}

export function otherSections(analysis: Analysis, t: Translate): Section[] {
  const section = (
    id: string,
    figure: Figure,
    [title, lead]: [title: string, lead: string],
    { rows, words }: { rows: string[][]; words: number[] },
    { sentences = [], notes = [] }: { sentences?: string[]; notes?: string[] } = {},
  ): Section => {
    return {
      ...{ id, title, level: 'why', figure },
      blocks: [
        { kind: 'lead', text: lead, isFull: true },
        { kind: 'list', items: sentences },
        tableOf(title, rows, words),
        { kind: 'notes', items: notes.map((text) => ({ text })) },
      ],
    };
  };
  return [
    section(
      'flushes',
      'flush',
      [t('report:flushes.title'), t('report:flushes.lead')],
      durabilityTable(analysis, t),
      {
        sentences: durabilitySentences(analysis, t),
      },
    ),
    section(
      'published',
      'published',
      [t('report:published.title'), t('report:published.lead')],
      { rows: publishedRows(analysis, t), words: [1] },
      { notes: publishedNotes(analysis, t) },
    ),
    section(
      'steadiness',
      'steadiness',
      [t('report:steadiness.title'), t('report:steadiness.lead')],
      { rows: steadinessRows(analysis, t), words: [5] },
      { sentences: steadinessSentences(analysis, t) },
    ),
    section('transactions', 'tpcc', [t('report:transactions.title'), t('report:transactions.lead')], {
      rows: transactionRows(analysis, t),
      words: [1],
    }),
  ];
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

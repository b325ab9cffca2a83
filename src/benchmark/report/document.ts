import { type Comparison, comparisonsOf } from '../../shared/analysis/comparisons.ts';
import { tpccFigures, type TpccFigures } from '../../shared/analysis/tpcc-figures.ts';
import type { Analysis, Sweep, ScenarioAnalysis } from '../../shared/model/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { Sharing } from '../../shared/model/sharing.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { adviceText, type AdviceText } from '../../shared/words/finding-wording.ts';
import { effectRows } from '../../shared/words/effect-table.ts';
import { snippetOf, type Snippet } from '../../shared/words/snippets.ts';
import type { Fact } from '../../shared/words/facts.ts';
import { failureTexts, groupedNotices } from '../../shared/words/grouped-notices.ts';
import { errorText, messageText, type Translate } from '../../shared/words/i18n.ts';
import {
  imageContents,
  machineText,
  methodText,
  publishedBaselineText,
  publishedText,
  serversText,
} from '../../shared/words/provenance.ts';
import {
  formatCount,
  formatLatency,
  formatRate,
  formatRatio,
  intervalText,
  NO_VALUE,
} from '../../shared/words/units.ts';
import { publishedNotes, publishedRows } from '../../shared/words/published-wording.ts';
import { steadinessRows, steadinessSentences } from '../../shared/words/steadiness-wording.ts';
import { transactionRows } from '../../shared/words/transaction-wording.ts';
import { whySentences } from '../../shared/words/why-wording.ts';
import {
  headlineLines,
  isKnee,
  FLAG_SIGNS,
  durabilityNotes,
  flagNotes,
  flagSigns,
  nameWithin,
  aaCheckText,
  sweepSentence,
  scenarioNameOf,
  sharingText,
  verdictLabel,
  whereText,
} from '../../shared/words/wording.ts';
import { asSentence, effectText, percentText } from '../../shared/words/effect-wording.ts';
import { labelText } from '../../shared/words/labels.ts';

export type TableGroup =
  'published' | 'steadiness' | 'transactions' | 'sweeps' | 'effects' | 'comparisons' | 'figures' | 'numbers';

export type SummaryBlock =
  | { kind: 'headline'; question: string; findings: { text: string; detail: string }[] }
  | { kind: 'advice'; items: AdviceItem[] }
  | { kind: 'subheading'; text: string }
  | { kind: 'notices'; items: { about: string; text: string }[] }
  /** The first row is the header; tables of a group have the same columns. */
  | { kind: 'table'; rows: string[][]; group: TableGroup }
  | { kind: 'list'; items: string[] }
  | { kind: 'lines'; lines: string[] };

export type Block =
  | SummaryBlock
  | { kind: 'heading'; text: string }
  | { kind: 'problems'; items: Problem[] }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'codes'; summary: string | null; lines: readonly string[] }
  /** `svg`: the escaped content of an SVG element of this size. */
  | { kind: 'figure'; svg: string; width: number; height: number; label: string };

export interface AdviceItem extends AdviceText {
  snippet: Snippet | null;
}

export interface Problem {
  title: string;
  text: string;
  code?: string;
  hint?: string;
  evidence?: readonly string[];
}

export function summaryBlocks(
  state: RunState,
  analysis: Analysis,
  t: Translate,
  sharing?: Sharing,
): SummaryBlock[] {
  const why = whySentences(analysis, t).map(({ text }) => text);
  const { plan } = state;
  return withContent<SummaryBlock>([
    {
      kind: 'headline',
      question: plan.preset.question,
      findings: headlineLines(analysis, t),
    },
    failuresBlock(analysis, t),
    ...adviceBlocks(state, analysis, t),
    ...sureBlocks(analysis, t),
    ...effectBlocks(analysis, t),
    ...sweepBlocks(analysis, t),
    ...comparisonBlocks(state, analysis, t),
    {
      kind: 'list',
      items: [
        ...flagNotes(analysis, t).map(({ flag, text }) => `${FLAG_SIGNS[flag]} ${text}`),
        ...durabilityNotes(analysis, t),
      ],
    },
    ...publishedBlocks(analysis, t),
    ...steadinessBlocks(analysis, t),
    ...transactionBlocks(analysis, t),
    ...(why.length === 0 ? [] : [subheading(t('report:why.title')), { kind: 'list' as const, items: why }]),
    {
      kind: 'list',
      items: [
        ...rollbacks(state, t),
        ...plan.excluded.map(({ name, reason }) =>
          t('report:text.excluded', { name, reason: messageText(reason, t) }),
        ),
        ...failureGroups(state).map(({ name, error }) =>
          t('report:text.failed', { trial: name, message: `${errorText(error, t).message} [${error.code}]` }),
        ),
        ...published(state, analysis, t, sharing === undefined),
      ],
    },
    {
      kind: 'lines',
      lines: [
        t('report:text.machine', { line: `${machineText(state, t)} · ${serversText(plan, t)}` }),
        ...imageContents(plan),
        t('report:text.method', { line: methodText(state, analysis, t) }),
        ...(sharing === undefined
          ? [t('report:text.docs')]
          : [
              t('report:share.source', { version: state.appVersion, run: state.runId }),
              sharingText(sharing, t),
            ]),
      ],
    },
  ]);
}

export function withContent<B extends Block>(blocks: B[]): B[] {
  return blocks.filter((block) => {
    if ('items' in block) return block.items.length > 0;
    return block.kind === 'codes' ? block.lines.length > 0 : true;
  });
}

export function subheading(text: string): SummaryBlock {
  return { kind: 'subheading', text };
}

export function failuresBlock({ notices }: Analysis, t: Translate): SummaryBlock {
  return { kind: 'list', items: failureTexts(notices, t) };
}

export function noticesBlock(analysis: Analysis, t: Translate): SummaryBlock {
  return {
    kind: 'notices',
    items: groupedNotices(analysis.notices, t).map(({ message, scenarioIds }) => ({
      about: scenarioIds.map((id) => scenarioNameOf(analysis, id)).join('; '),
      text: message,
    })),
  };
}

export function sweepBlocks({ sweeps }: Analysis, t: Translate): SummaryBlock[] {
  return sweeps.flatMap((sweep): SummaryBlock[] => [
    subheading(`${sweepSentence(sweep, t)}.`),
    { kind: 'table', rows: sweepRows(sweep, t), group: 'sweeps' },
  ]);
}

/** What to do, with the configuration that does it. */
export function adviceBlocks(state: RunState, analysis: Analysis, t: Translate): SummaryBlock[] {
  const items = analysis.recommendations.map((one): AdviceItem => ({
    ...adviceText(one, analysis, state.plan.passport.runtime.fileSharing, t),
    snippet: snippetOf(one, state.plan),
  }));
  return items.length === 0 ? [] : [subheading(t('report:advice.title')), { kind: 'advice', items }];
}

/** How sure the findings are: the A/A check and the warnings. */
function sureBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  const noise = aaCheckText(analysis, t);
  const notices = withContent([noticesBlock(analysis, t)]);
  if (noise === undefined && notices.length === 0) return [];
  return [
    subheading(t('report:advice.sure')),
    { kind: 'list', items: noise === undefined ? [] : [noise] },
    ...notices,
  ];
}

/** Sentences above a table; nothing without either. */
function tableBlocks(
  group: 'effects' | 'published' | 'steadiness' | 'transactions',
  rows: string[][],
  t: Translate,
  items: string[] = [],
): SummaryBlock[] {
  if (rows.length === 0 && items.length === 0) return [];
  const table = rows.length === 0 ? [] : [{ kind: 'table' as const, rows, group }];
  return [subheading(t(`report:${group}.title`)), { kind: 'list', items }, ...table];
}

export function effectBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  return tableBlocks('effects', analysis.effects.length === 0 ? [] : effectRows(analysis, t), t);
}

/** What was published of the experiment, next to the same figures of this run. */
export function publishedBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  return tableBlocks('published', publishedRows(analysis, t), t, publishedNotes(analysis, t));
}

export function steadinessBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  return tableBlocks('steadiness', steadinessRows(analysis, t), t, steadinessSentences(analysis, t));
}

export function transactionBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  return tableBlocks('transactions', transactionRows(analysis, t), t);
}

function comparisonBlocks(state: RunState, analysis: Analysis, t: Translate): SummaryBlock[] {
  return comparisonsOf(analysis).flatMap((comparison): SummaryBlock[] => {
    const where = whereText(comparison, t);
    const baseline = nameWithin(comparison, analysis, comparison.baselineId, t);
    const rows = tableRows(comparison, state, analysis, t);
    return [
      ...(where === undefined
        ? [subheading(t('report:advice.scenarios'))]
        : [subheading(t('report:text.comparison', { where: asSentence(where, t), baseline }))]),
      { kind: 'table', rows, group: 'comparisons' },
    ];
  });
}

function rollbacks(state: RunState, t: Translate): string[] {
  const figures = tpccFigures(state);
  const list = state.plan.scenarios.flatMap(({ id, name }) => {
    const count = figures.get(id)?.rollbacks ?? 0;
    return count === 0 ? [] : [`${name} ${formatCount(count)}`];
  });
  return list.length === 0 ? [] : [t('report:text.rollbacks', { list: list.join('; ') })];
}

function published({ plan }: RunState, analysis: Analysis, t: Translate, withUrl: boolean): string[] {
  if (plan.reference === null || analysis.scenarios.every(({ reference }) => reference === null)) return [];
  const { url } = plan.reference;
  return [
    t('report:text.published', {
      line: publishedText(plan.reference, t),
      normalized: publishedBaselineText(analysis, t),
      url: url === null || !withUrl ? '' : ` ${url}`,
    }),
  ];
}

interface Columns {
  tpcc: Map<string, TpccFigures>;
  published: boolean;
  mean: boolean;
}

function tableRows(comparison: Comparison, state: RunState, analysis: Analysis, t: Translate): string[][] {
  const columns: Columns = {
    tpcc: tpccFigures(state),
    published: analysis.scenarios.some(({ reference }) => reference !== null),
    mean: analysis.rate !== null,
  };
  const header = [
    t('report:table.scenario'),
    t('report:table.tps'),
    ...(columns.tpcc.size === 0
      ? []
      : [t('report:table.transactionsPerMinute'), t('report:table.newOrdersPerMinute')]),
    ...(columns.mean ? [t('report:table.mean')] : []),
    t('report:table.p50'),
    t('report:table.p95'),
    t('report:table.ratio'),
    t('report:table.interval', { confidence: percentText(analysis.confidence, t) }),
    ...(columns.published ? [t('report:table.published')] : []),
    t('report:table.rounds'),
    t('report:table.verdict'),
  ];
  return [header, ...comparison.scenarios.map((scenario) => tableRow(scenario, comparison, columns, t))];
}

function tableRow(
  scenario: ScenarioAnalysis,
  comparison: Comparison,
  { tpcc, published, mean }: Columns,
  t: Translate,
): string[] {
  const { ratio, latency, measured, failed, reference } = scenario;
  const bounds = scenario.isBaseline ? NO_VALUE : intervalText(ratio);
  const perMinute = tpcc.get(scenario.id);
  return [
    asSentence(labelText(scenario.label, t, comparison), t),
    formatRate(scenario.tps),
    ...(tpcc.size === 0
      ? []
      : [
          formatRate(perMinute?.transactionsPerMinute ?? null),
          formatRate(perMinute?.newOrdersPerMinute ?? null),
        ]),
    ...(mean ? [formatLatency(latency?.meanUs ?? null)] : []),
    formatLatency(latency?.p50Us ?? null),
    formatLatency(latency?.p95Us ?? null),
    ratio === null ? NO_VALUE : formatRatio(ratio.value),
    bounds,
    ...(published ? [reference === null ? NO_VALUE : formatRatio(reference.ratio)] : []),
    failed === 0
      ? String(measured)
      : t('report:table.roundsPartly', { measured, planned: measured + failed }),
    verdictCell(scenario, t),
  ];
}

function sweepRows({ levels, knee }: Sweep, t: Translate): string[][] {
  const header = [
    t('report:sweep.connections'),
    t('report:table.tps'),
    t('report:sweep.spread'),
    t('report:table.p50'),
    t('report:table.p95'),
    t('report:table.p99'),
    '',
  ];
  const rows = levels.map(({ connections, tps, lowTps, highTps, p50Us, p95Us, p99Us }) => [
    formatCount(connections),
    formatRate(tps),
    lowTps === null || highTps === null ? NO_VALUE : `${formatRate(lowTps)}–${formatRate(highTps)}`,
    ...[p50Us, p95Us, p99Us].map((us) => formatLatency(us)),
    isKnee(knee, connections) ? `← ${t('report:sweep.kneeMark')}` : '',
  ]);
  return [header, ...rows];
}

function verdictCell(scenario: ScenarioAnalysis, t: Translate): string {
  const settled = !scenario.isBaseline && (scenario.verdict === 'slower' || scenario.verdict === 'faster');
  const verdict =
    settled && scenario.ratio !== null ? effectText(scenario.ratio, t) : verdictLabel(scenario, t);
  return scenario.flags.length === 0 ? verdict : `${verdict} ${flagSigns(scenario.flags)}`;
}

import { type Comparison, comparisonsOf } from '../../shared/analysis/comparisons.ts';
import { seenPassport } from '../../shared/analysis/seen-passport.ts';
import type { Analysis, Sweep, ScenarioAnalysis } from '../../shared/analysis/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { Sharing } from '../../shared/model/sharing.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import {
  actionsOf,
  adviceText,
  keepText,
  moreText,
  MOST_ACTIONS,
  snippetOf,
  type AdviceText,
} from '../../shared/words/advice-wording.ts';
import type { Snippet } from '../../shared/analysis/advice.ts';
import { dependenceTexts } from '../../shared/words/finding-wording.ts';
import { effectRows } from '../../shared/words/effect-table.ts';
import type { Fact } from '../../shared/words/facts.ts';
import { figuresShown, figureText, figureTitle } from '../../shared/words/figures.ts';
import { aboutScenarios, groupedNotices } from '../../shared/words/grouped-notices.ts';
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
} from '../../shared/units.ts';
import { otherTables } from '../../shared/words/other-tables.ts';
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
import { asSentence, percentText } from '../../shared/words/effect-wording.ts';
import { rowName } from '../../shared/words/labels.ts';

type TableGroup =
  | 'durability'
  | 'published'
  | 'steadiness'
  | 'transactions'
  | 'sweeps'
  | 'effects'
  | 'comparisons'
  | 'why'
  | 'numbers';

export type SummaryBlock =
  | { kind: 'headline'; question: string; findings: { text: string; detail: string }[] }
  | { kind: 'advice'; items: AdviceItem[] }
  | { kind: 'subheading'; text: string }
  | { kind: 'notices'; items: { about: string; text: string }[] }
  /** The first row is the header; tables of a group have the same columns. `words`: columns without numbers but the first. */
  | { kind: 'table'; rows: string[][]; group: TableGroup; words?: readonly number[] }
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
    ...adviceBlocks(state, analysis, t),
    ...effectBlocks(analysis, t),
    ...sureBlocks(analysis, t),
    ...sweepBlocks(analysis, t),
    ...comparisonBlocks(analysis, t),
    {
      kind: 'list',
      items: [
        ...flagNotes(analysis, t).map(({ flag, text }) => `${FLAG_SIGNS[flag]} ${text}`),
        ...durabilityNotes(analysis, t),
      ],
    },
    ...alsoBlocks(state, analysis, t),
    ...otherBlocks(analysis, t),
    ...(why.length === 0 ? [] : [subheading(t('report:why.title')), { kind: 'list' as const, items: why }]),
    {
      kind: 'list',
      items: [
        ...rollbacks(analysis, t),
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
          ? []
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

function noticesBlock(analysis: Analysis, t: Translate): SummaryBlock {
  return {
    kind: 'notices',
    items: groupedNotices(analysis.notices, t).map(({ message, scenarioIds }) => ({
      about: aboutScenarios(
        scenarioIds.map((id) => scenarioNameOf(analysis, id)),
        analysis.scenarios.length,
        t,
      ),
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

export function adviceBlocks(state: RunState, analysis: Analysis, t: Translate): SummaryBlock[] {
  const line = (text: string | undefined): SummaryBlock => ({
    kind: 'list',
    items: text === undefined ? [] : [text],
  });
  const items = adviceItems(state, analysis, t).slice(0, MOST_ACTIONS);
  const blocks = withContent<SummaryBlock>([
    line(keepText(analysis, t)),
    { kind: 'advice', items },
    line(moreText(analysis, t)),
  ]);
  return blocks.length === 0 ? [] : [subheading(t('report:advice.title')), ...blocks];
}

export function alsoBlocks(state: RunState, analysis: Analysis, t: Translate): SummaryBlock[] {
  const items = adviceItems(state, analysis, t).slice(MOST_ACTIONS);
  return items.length === 0 ? [] : [subheading(t('report:advice.also')), { kind: 'advice', items }];
}

function adviceItems(state: RunState, analysis: Analysis, t: Translate): AdviceItem[] {
  return actionsOf(analysis).map((one) => ({
    ...adviceText(one, analysis, seenPassport(state).runtime.fileSharing, t),
    snippet: snippetOf(one, state.plan),
  }));
}

export function sureBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  const noise = aaCheckText(analysis, t);
  const blocks = withContent<SummaryBlock>([
    { kind: 'list', items: noise === undefined ? [] : [noise] },
    noticesBlock(analysis, t),
  ]);
  return blocks.length === 0 ? [] : [subheading(t('report:advice.sure')), ...blocks];
}

export function effectBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  if (analysis.effects.length === 0) return [];
  const rows = effectRows(analysis, t);
  return withContent<SummaryBlock>([
    subheading(t('report:effects.title')),
    { kind: 'table', group: 'effects', rows, words: [1, 5] },
    { kind: 'list', items: dependenceTexts(analysis, t) },
  ]);
}

export function otherBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  return otherTables(analysis, t).flatMap(({ id, title, rows, words, sentences, notes }): SummaryBlock[] => [
    subheading(title),
    { kind: 'list', items: [...sentences, ...notes] },
    ...(rows.length === 0 ? [] : [{ kind: 'table' as const, group: id, rows, words }]),
  ]);
}

export function comparisonBlocks(analysis: Analysis, t: Translate): SummaryBlock[] {
  return comparisonsOf(analysis).flatMap((comparison): SummaryBlock[] => {
    const where = whereText(comparison, t);
    const baseline = nameWithin(comparison, analysis, comparison.baselineId, t);
    const rows = tableRows(comparison, analysis, t);
    return [
      ...(where === undefined
        ? [subheading(t('report:advice.scenarios'))]
        : [subheading(t('report:text.comparison', { where: asSentence(where, t), baseline }))]),
      { kind: 'table', rows, group: 'comparisons', words: [(rows[0]?.length ?? 0) - 1] },
    ];
  });
}

function rollbacks({ scenarios }: Analysis, t: Translate): string[] {
  const list = scenarios.flatMap(({ name, perMinute }) =>
    perMinute === null || perMinute.rollbacks === 0 ? [] : [`${name} ${formatCount(perMinute.rollbacks)}`],
  );
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

function tableRows({ scenarios }: Comparison, analysis: Analysis, t: Translate): string[][] {
  const figures = figuresShown(analysis, 'short');
  const hasPublished = analysis.scenarios.some(({ reference }) => reference !== null);
  const header = [
    t('report:table.scenario'),
    ...figures.map((key) => figureTitle(key, t)),
    t('report:table.ratio'),
    t('report:table.interval', { confidence: percentText(analysis.confidence, t) }),
    ...(hasPublished ? [t('report:table.published')] : []),
    figureTitle('trials', t),
    t('report:table.verdict'),
  ];
  const rows = scenarios.map((scenario) => {
    const { ratio, reference, isBaseline } = scenario;
    return [
      rowName(scenario, analysis, t),
      ...figures.map((key) => figureText(key, scenario, t)),
      ratio === null ? NO_VALUE : formatRatio(ratio.value),
      isBaseline ? NO_VALUE : intervalText(ratio),
      ...(hasPublished ? [reference === null ? NO_VALUE : formatRatio(reference.ratio)] : []),
      figureText('trials', scenario, t),
      verdictCell(scenario, t),
    ];
  });
  return [header, ...rows];
}

function sweepRows({ levels, knee }: Sweep, t: Translate): string[][] {
  const header = [
    t('report:sweep.connections'),
    figureTitle('tps', t),
    t('report:sweep.spread'),
    figureTitle('p50', t),
    figureTitle('p95', t),
    figureTitle('p99', t),
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
  const verdict = verdictLabel(scenario, t);
  return scenario.flags.length === 0 ? verdict : `${verdict} ${flagSigns(scenario.flags)}`;
}

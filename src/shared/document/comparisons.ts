import type { Analysis, ScenarioAnalysis } from '../analysis/analysis.ts';
import { comparisonsOf, type Comparison } from '../analysis/comparisons.ts';
import { effectsByFactor } from '../analysis/factor-progress.ts';
import type { RunState } from '../model/run-state.ts';
import { isTpcc } from '../model/workload.ts';
import { ratioBar } from '../pictures/bars.ts';
import { formatCount, formatLatency, formatRate, formatRatio, intervalText, NO_VALUE } from '../units.ts';
import { effectTexts } from '../words/effect-table.ts';
import { asSentence, percentText } from '../words/effect-wording.ts';
import { figuresShown, figureText, figureTitle } from '../words/figures.ts';
import { dependenceTexts } from '../words/finding-wording.ts';
import type { Translate } from '../words/i18n.ts';
import { labelText, rowName } from '../words/labels.ts';
import { publishedBaselineText } from '../words/provenance.ts';
import {
  durabilityNotes,
  flagNotes,
  isKnee,
  scenarioNameOf,
  sweepSentence,
  verdictLabel,
  whereText,
} from '../words/wording.ts';
import type { Cell, Column, Level, Row, Saying, Section, Table, TableGroup } from './blocks.ts';

export function sweepSection({ sweeps }: Analysis, t: Translate): Section {
  const title = t('ui:sweep.title');
  const number = (text: string): Column => ({ title: text, kind: 'number' });
  const table: Table = {
    kind: 'table',
    name: title,
    isFolded: true,
    columns: [
      { title: t('ui:sweep.connections'), kind: 'name' },
      number(figureTitle('tps', t)),
      number(t('report:sweep.spread')),
      ...(['p50', 'p95', 'p99'] as const).map((key) => number(figureTitle(key, t))),
      { title: t('ui:sweep.knee'), kind: 'words' },
    ],
    groups: sweeps.map(({ label, levels, knee }) => ({
      heading: asSentence(labelText(label, t), t),
      rows: levels.map(({ connections, tps, lowTps, highTps, p50Us, p95Us, p99Us }) => ({
        cells: [
          formatCount(connections, t.language),
          formatRate(tps, t.language),
          lowTps === null || highTps === null
            ? NO_VALUE
            : `${formatRate(lowTps, t.language)}–${formatRate(highTps, t.language)}`,
          ...[p50Us, p95Us, p99Us].map((us) => formatLatency(us, t.language)),
          isKnee(knee, connections) ? `← ${t('ui:sweep.knee')}` : '',
        ],
      })),
    })),
  };
  return {
    id: 'sweep',
    title,
    level: 'answer',
    figure: 'sweep',
    blocks: [
      { kind: 'lead', text: t('ui:sweep.lead'), isFull: true },
      { kind: 'curves', sweeps, items: sweeps.map((sweep) => sweepSentence(sweep, t)) },
      table,
    ],
  };
}

export function effectsSection(analysis: Analysis, t: Translate): Section {
  const title = t('report:effects.title');
  const groups = effectsByFactor(analysis).map(({ factor, effects }): TableGroup => {
    const rows = effects.map((effect) => ({ effect, texts: effectTexts(effect, analysis, t) }));
    return {
      heading: t(`report:effects.factor.${factor}`),
      note: t('ui:result.comparedWith', { name: rows[0]?.texts.reference ?? '' }),
      rows: rows.map(({ effect, texts }) => ({
        cells: [
          asSentence(texts.level, t),
          { bar: ratioBar(effect, effect.verdict) },
          texts.ratio,
          texts.interval,
          texts.cost,
          { text: texts.verdict, tone: effect.verdict },
        ],
        isMuted: effect.ratio === null,
      })),
    };
  });
  const confidence = percentText(analysis.confidence, t);
  const columns: Column[] = [
    { title: t('report:effects.level'), kind: 'name' },
    { title: t('ui:result.bar'), kind: 'bar' },
    { title: t('ui:result.ratio'), kind: 'number', isMore: true },
    { title: t('report:table.interval', { confidence }), kind: 'number' },
    { title: t('report:effects.cost'), kind: 'number', isMore: true },
    { title: t('ui:result.verdict'), kind: 'words' },
  ];
  return {
    id: 'effects',
    title,
    level: 'answer',
    figure: 'effect',
    blocks: [{ kind: 'table', name: title, columns, groups }],
  };
}

export function scenariosSection(
  run: RunState,
  analysis: Analysis,
  level: Level,
  { t, sharing }: Saying,
): Section {
  const title = t('report:advice.scenarios');
  const confidence = percentText(analysis.confidence, t);
  const texts = [
    ...durabilityNotes(analysis, t),
    ...rollbacks(analysis, t),
    ...publishedNotes(run, analysis, sharing === undefined, t),
  ];
  return {
    id: 'ratio',
    title,
    level,
    blocks: [
      { kind: 'slot', name: 'baselines' },
      { kind: 'lead', text: t('ui:result.relativeLead', { percent: `${confidence}%` }), isFull: true },
      { kind: 'list', items: dependenceTexts(analysis, t) },
      scenarioTable(analysis, title, confidence, t),
      { kind: 'notes', items: [...flagNotes(analysis, t), ...texts.map((text) => ({ text }))] },
    ],
  };
}

function scenarioTable(analysis: Analysis, name: string, confidence: string, t: Translate): Table {
  const figures = figuresShown(analysis, 'short');
  const hasPublished = analysis.scenarios.some(({ reference }) => reference !== null);
  const published: Column = { title: t('ui:result.published'), kind: 'number', figure: 'published' };
  const columns: Column[] = [
    { title: t('ui:result.scenario'), kind: 'name' },
    { title: t('ui:result.bar'), kind: 'bar' },
    ...figures.map((key): Column => ({ title: figureTitle(key, t), kind: 'number', isShort: true })),
    { title: t('ui:result.ratio'), kind: 'number', figure: 'ratio' },
    { title: t('report:table.interval', { confidence }), kind: 'number', figure: 'interval' },
    ...(hasPublished ? [published] : []),
    { title: figureTitle('trials', t), kind: 'number', isShort: true },
    { title: t('ui:result.verdict'), kind: 'words', figure: 'verdict' },
  ];
  const rowOf = (scenario: ScenarioAnalysis): Row => {
    const { ratio, isBaseline, verdict, flags, reference } = scenario;
    const tone = isBaseline ? 'baseline' : verdict;
    return {
      cells: [
        rowName(scenario, analysis, t),
        { bar: ratioBar(scenario, tone, flags, reference?.ratio) },
        ...figures.map((key) => figureText(key, scenario, t)),
        ratio === null ? NO_VALUE : formatRatio(ratio.value, t.language),
        isBaseline ? NO_VALUE : intervalText(ratio, t.language),
        ...(hasPublished ? [publishedCell(scenario, t)] : []),
        figureText('trials', scenario, t),
        { text: verdictLabel(scenario, t), tone, flags },
      ],
      isMuted: ratio === null,
    };
  };
  const groups = comparisonsOf(analysis).map((comparison): TableGroup => {
    const heading = whereOf(comparison, t);
    const baseline = scenarioNameOf(analysis, comparison.baselineId, t, comparison);
    const note = heading === null ? {} : { note: t('ui:result.comparedWith', { name: baseline }) };
    return { heading, ...note, rows: comparison.scenarios.map(rowOf) };
  });
  return { kind: 'table', name, columns, groups };
}

function publishedCell({ reference }: ScenarioAnalysis, t: Translate): Cell {
  if (reference === null) return NO_VALUE;
  const [text, tps] = [formatRatio(reference.ratio, t.language), formatRate(reference.tps, t.language)];
  return { text, about: t('ui:result.publishedTip', { label: reference.label, ratio: text, tps }) };
}

function whereOf(comparison: Comparison, t: Translate): string | null {
  const where = whereText(comparison, t);
  return where === undefined ? null : asSentence(where, t);
}

function rollbacks({ scenarios }: Analysis, t: Translate): string[] {
  const list = scenarios.flatMap(({ label, perMinute }) =>
    perMinute === null || perMinute.rollbacks === 0
      ? []
      : [`${labelText(label, t)} ${formatCount(perMinute.rollbacks)}`],
  );
  return list.length === 0 ? [] : [t('report:text.rollbacks', { list: list.join('; ') })];
}

function publishedNotes({ plan }: RunState, analysis: Analysis, withUrl: boolean, t: Translate): string[] {
  if (plan.reference === null || analysis.scenarios.every(({ reference }) => reference === null)) return [];
  const { source, date, title, hardware, software, workload, url } = plan.reference;
  return [
    [
      t('ui:result.source', { source, date, title, hardware, software }),
      t('ui:result.sourceWorkload', { workload }),
      publishedBaselineText(analysis, t),
      ...(url === null || !withUrl ? [] : [url]),
    ].join(t('report:list.sentences')),
  ];
}

export function numbersSection({ plan }: RunState, analysis: Analysis, t: Translate): Section[] {
  const figures = figureTable(analysis, 'numbers', t);
  const note = `${t('ui:result.rollbackNote')} ${t('ui:result.notTpmC')}`;
  const numbers: Section = {
    id: 'numbers-table',
    title: t('ui:result.numbers'),
    level: 'numbers',
    blocks: [
      ...(figures === undefined ? [] : [{ ...figures, isFull: true }]),
      { kind: 'notes', items: isTpcc(plan.workload) ? [{ text: note }] : [], isFull: true },
    ],
  };
  const time: Section = {
    id: 'time',
    title: t('ui:result.overTime'),
    level: 'numbers',
    blocks: [{ kind: 'slot', name: 'charts' }],
  };
  const counters = figureTable(analysis, 'counters', t);
  const perTransaction: Section = {
    id: 'counters',
    title: t('report:counters.title'),
    level: 'numbers',
    blocks:
      counters === undefined
        ? []
        : [
            {
              kind: 'lead',
              text: t(plan.task === null ? 'report:counters.lead' : 'report:counters.leadTask'),
              isFull: true,
            },
            { ...counters, isFull: true },
          ],
  };
  return plan.task === null ? [numbers, time, perTransaction] : [numbers, perTransaction];
}

function figureTable(analysis: Analysis, table: 'counters' | 'numbers', t: Translate): Table | undefined {
  const figures = figuresShown(analysis, table);
  if (figures.length === 0) return undefined;
  const rowOf = (scenario: ScenarioAnalysis): Row => {
    const text = rowName(scenario, analysis, t);
    const { isBaseline, flags } = scenario;
    const badge = isBaseline ? { badge: t('ui:common.baseline') } : {};
    const cells = figures.map((key) => figureText(key, scenario, t));
    return { cells: [{ text, flags, ...badge }, ...cells], isMuted: scenario.measured === 0 };
  };
  return {
    kind: 'table',
    name: t(table === 'counters' ? 'report:counters.title' : 'ui:result.numbers'),
    columns: [
      { title: t('ui:result.scenario'), kind: 'name' },
      ...figures.map((key): Column => ({ title: figureTitle(key, t), kind: 'number', figure: key })),
    ],
    groups: comparisonsOf(analysis).map((comparison) => ({
      heading: whereOf(comparison, t),
      rows: comparison.scenarios.map(rowOf),
    })),
  };
}

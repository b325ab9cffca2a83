import { comparisonsOf } from '../../shared/analysis/comparisons.ts';
import { seenPassports } from '../../shared/analysis/seen-passport.ts';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import { engineNames, plansOn } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { failureGroups } from '../../shared/run/failures.ts';
import { fileSystemText } from '../../shared/words/environment-wording.ts';
import { configFacts, loadFacts, passportFacts, type Fact } from '../../shared/words/facts.ts';
import { errorText, messageText, type Translate } from '../../shared/words/i18n.ts';
import { rowName, configText } from '../../shared/words/labels.ts';
import {
  imageContents,
  imageText,
  methodText,
  serversText,
  trialTimesText,
} from '../../shared/words/provenance.ts';
import { figuresShown, figureText, figureTitle } from '../../shared/words/figures.ts';
import { formatCount } from '../../shared/units.ts';
import { whySentences } from '../../shared/words/why-wording.ts';
import { durabilityNotes, sweepSentence, whereText } from '../../shared/words/wording.ts';
import { asSentence } from '../../shared/words/effect-wording.ts';
import {
  adviceBlocks,
  effectBlocks,
  alsoBlocks,
  comparisonBlocks,
  otherBlocks,
  sureBlocks,
  sweepBlocks,
  subheading,
  withContent,
  type Block,
  type Problem,
  type SummaryBlock,
} from './document.ts';
import {
  barChart,
  effectGroups,
  scenarioGroups,
  sweepChart,
  type ShareChart,
} from '../../shared/pictures/charts.ts';

const FIGURE_WIDTH = 1104;

export function pageBlocks(state: RunState, analysis: Analysis, t: Translate): Block[] {
  return withContent<Block>([
    ...headed(adviceBlocks(state, analysis, t)),
    ...effectSection(state, analysis, t),
    ...headed(sureBlocks(analysis, t)),
    ...(analysis.sweeps.length === 0
      ? []
      : [
          heading(t('ui:sweep.title')),
          figure(
            sweepChart(analysis, FIGURE_WIDTH, t),
            analysis.sweeps.map((sweep) => sweepSentence(sweep, t)).join('. '),
          ),
          ...sweepBlocks(analysis, t),
        ]),
    heading(t('report:html.comparison')),
    figure(
      barChart(state, analysis, scenarioGroups(state, analysis, t), FIGURE_WIDTH, t),
      t('report:html.comparison'),
    ),
    { kind: 'lines', lines: durabilityNotes(analysis, t) },
    ...comparisonBlocks(analysis, t),
    ...headed(alsoBlocks(state, analysis, t)),
    ...headed(otherBlocks(analysis, t)),
    ...whyBlocks(analysis, t),
    heading(t('ui:result.numbers')),
    ...figureTables(analysis, 'numbers', t),
    ...problemBlocks(state, t),
    ...conditionsBlocks(state, t),
    ...serversBlocks(state, t),
    ...passportBlocks(state, t),
    heading(t('report:html.method')),
    {
      kind: 'lines',
      lines: [methodText(state, analysis, t), t('report:html.methodLead')],
    },
  ]);
}

function effectSection(state: RunState, analysis: Analysis, t: Translate): Block[] {
  const groups = effectGroups(analysis, t);
  const [title, ...rest] = headed(effectBlocks(analysis, t));
  if (title === undefined) return [];
  const chart = barChart(state, analysis, groups, FIGURE_WIDTH, t);
  return [title, figure(chart, t('report:effects.title')), ...rest];
}

function headed(blocks: SummaryBlock[]): Block[] {
  return blocks.map((block) => (block.kind === 'subheading' ? heading(block.text) : block));
}

function heading(text: string): Block {
  return { kind: 'heading', text };
}

function figure({ leastHeight, draw }: ShareChart, label: string): Block {
  const height = Math.ceil(leastHeight * 1.25);
  const svg = draw({ x: 0, y: 0, width: FIGURE_WIDTH, height });
  return { kind: 'figure', svg, width: FIGURE_WIDTH, height, label };
}

function whyBlocks(analysis: Analysis, t: Translate): Block[] {
  const tables = figureTables(analysis, 'why', t);
  if (tables.length === 0) return [];
  const sentences = whySentences(analysis, t).map(({ text }) => text);
  return [
    heading(t('report:why.title')),
    { kind: 'lines', lines: [t(analysis.task === null ? 'report:why.lead' : 'report:why.leadTask')] },
    { kind: 'list', items: sentences.length === 0 ? [t('report:why.nothing')] : sentences },
    ...tables,
  ];
}

function problemBlocks(state: RunState, t: Translate): Block[] {
  const failures = failureGroups(state).map(({ name, rounds, error }): Problem => {
    const { message, hint, evidence } = errorText(error, t);
    const about = { name, rounds: rounds.join(t('report:list.items')), count: rounds.length };
    return { title: t('ui:result.problemTitle', about), text: message, code: error.code, hint, evidence };
  });
  const excluded = state.plan.excluded.map(({ name, reason }): Problem => ({
    title: asSentence(name, t),
    text: messageText(reason, t),
  }));
  const section = (title: string, items: Problem[]): Block[] =>
    items.length === 0 ? [] : [heading(title), { kind: 'problems', items }];
  return [...section(t('ui:result.problems'), failures), ...section(t('ui:result.excluded'), excluded)];
}

function conditionsBlocks({ plan }: RunState, t: Translate): Block[] {
  const isOne = plan.configs.length === 1;
  const schedule: Fact = [
    t('ui:plan.rounds'),
    `${formatCount(plan.schedule.rounds, t.language)}; ${trialTimesText(plan, t)}`,
  ];
  return [
    heading(t('ui:result.settings')),
    ...plan.configs.flatMap((config): Block[] => [
      ...(isOne ? [] : [subheading(configText(config, t) ?? '')]),
      { kind: 'lines', lines: [isOne ? serversText(plan, t) : imageText(config.image, t)] },
      { kind: 'facts', facts: configFacts(config, plan, t) },
      {
        kind: 'codes',
        summary: null,
        lines: [...(config.native === null ? [] : [config.native.binary]), ...config.options],
      },
    ]),
    { kind: 'codes', summary: null, lines: imageContents(plan) },
    heading(t('ui:plan.load')),
    { kind: 'facts', facts: [...loadFacts(plan, t), schedule] },
  ];
}

function serversBlocks({ servers }: RunState, t: Translate): Block[] {
  const known = Object.entries(servers).flatMap(([id, one]) =>
    one.facts === null ? [] : [{ id, ...one.facts }],
  );
  if (known.length === 0) return [];
  return [
    heading(t('ui:result.servers')),
    ...known.flatMap(({ id, version, versionComment, datadirFileSystem, options, variables }): Block[] => {
      const mount = `${t('ui:result.mount')}: ${datadirFileSystem === null ? t('ui:result.mountUnknown') : fileSystemText(datadirFileSystem, t)}`;
      const read = Object.entries(variables).map(([name, value]) => `${name} = ${value}`);
      return [
        subheading(id),
        { kind: 'lines', lines: [`${version} ${versionComment} · ${mount}`] },
        { kind: 'codes', summary: t('ui:result.optionsCount', { count: options.length }), lines: options },
        { kind: 'codes', summary: t('report:html.variables', { count: read.length }), lines: read },
      ];
    }),
  ];
}

function passportBlocks(state: RunState, t: Translate): Block[] {
  const parts = plansOn(state.plan);
  const names = engineNames(state.plan);
  return [
    heading(t('ui:passport.title')),
    ...seenPassports(state).flatMap((passport, index): Block[] => {
      const { runtimeId } = parts[index] ?? state.plan;
      const context = runtimeId.includes(':') ? [[t('report:html.context'), runtimeId] satisfies Fact] : [];
      return [
        { kind: 'lines', lines: [names[index] ?? passport.runtime.name] },
        { kind: 'facts', facts: [...passportFacts(passport, t), ...context] },
      ];
    }),
  ];
}

function figureTables(analysis: Analysis, table: 'why' | 'numbers', t: Translate): Block[] {
  const figures = figuresShown(analysis, table);
  if (figures.length === 0) return [];
  const header = [t('report:table.scenario'), ...figures.map((key) => figureTitle(key, t))];
  return comparisonsOf(analysis).flatMap((comparison): Block[] => {
    const where = whereText(comparison, t);
    const rows = comparison.scenarios.map((scenario) => [
      rowName(scenario, analysis, t),
      ...figures.map((key) => figureText(key, scenario, t)),
    ]);
    return [
      ...(where === undefined ? [] : [subheading(asSentence(where, t))]),
      { kind: 'table', group: table, rows: [header, ...rows] },
    ];
  });
}

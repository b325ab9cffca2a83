import type { Analysis, ScenarioAnalysis } from '../analysis/analysis.ts';
import { TIME_PARTS, timeByKey, totalUs, WAITS } from '../analysis/waterfall.ts';
import { legendOf, type Stack, stackMostUs } from '../pictures/stack.ts';
import { formatLatency } from '../units.ts';
import { asSentence } from '../words/effect-wording.ts';
import { firstStartSentences } from '../words/first-start-wording.ts';
import { figureTitle } from '../words/figures.ts';
import type { Translate } from '../words/i18n.ts';
import { rowName } from '../words/labels.ts';
import {
  choiceName,
  partName,
  waitName,
  waterfallLead,
  waterfallSentences,
} from '../words/waterfall-wording.ts';
import type { Column, Section, Table } from './blocks.ts';

export function waterfallSection(analysis: Analysis, t: Translate): Section {
  const { scenarios, waterfall } = analysis;
  const known = scenarios.filter(({ parts }) => parts.length > 0);
  const shown = (waterfall?.scenarioIds ?? []).flatMap((id) => known.find((one) => one.id === id) ?? []);
  const mostUs = stackMostUs(shown.map(({ parts }) => parts));
  const stacks = shown.map(({ parts }): Stack => ({ parts, mostUs }));
  const title = t('report:waterfall.title');
  const mean: Column = { title: figureTitle('mean', t), kind: 'number' };
  const bars: Table = {
    kind: 'table',
    name: title,
    isHeadless: true,
    columns: [
      { title: t('ui:result.scenario'), kind: 'name' },
      { title: t('report:waterfall.bar'), kind: 'stack' },
      mean,
    ],
    groups: [
      {
        heading: null,
        rows: shown.map(({ id, parts }, index) => ({
          cells: [
            choiceName(id, analysis, t),
            { stack: stacks[index] ?? { parts, mostUs } },
            formatLatency(totalUs(parts), t.language),
          ],
        })),
      },
    ],
  };
  return {
    id: 'waterfall',
    title,
    level: 'answer',
    figure: 'waterfall',
    blocks:
      shown.length === 0
        ? []
        : [
            { kind: 'legend', text: waterfallLead(analysis, t), items: legendOf(stacks, t) },
            bars,
            {
              kind: 'lines',
              items: [...firstStartSentences(analysis, t), ...waterfallSentences(analysis, t)],
            },
            { ...partsTable(known, analysis, mean, t), isFolded: true, isFull: true },
          ],
  };
}

function partsTable(
  known: readonly ScenarioAnalysis[],
  analysis: Analysis,
  mean: Column,
  t: Translate,
): Table {
  const all = known.flatMap(({ parts }) => parts);
  const columns = [
    ...TIME_PARTS.map((part) => ({
      title: asSentence(partName(part, t), t),
      usOf: (own: ScenarioAnalysis['parts']) => totalUs(own.filter((one) => one.part === part)),
    })),
    ...WAITS.map((wait) => ({
      title: asSentence(t('report:waterfall.ofWhich', { wait: waitName(wait, t) }), t),
      usOf: (own: ScenarioAnalysis['parts']) => timeByKey(own).get(wait) ?? 0,
    })),
  ].filter(({ usOf }) => usOf(all) > 0);
  return {
    kind: 'table',
    name: t('report:waterfall.bar'),
    columns: [
      { title: t('ui:result.scenario'), kind: 'name' },
      ...columns.map(({ title }): Column => ({ title, kind: 'number' })),
      mean,
    ],
    groups: [
      {
        heading: null,
        rows: known.map((scenario) => ({
          cells: [
            rowName(scenario, analysis, t),
            ...columns.map(({ usOf }) => formatLatency(usOf(scenario.parts), t.language)),
            formatLatency(totalUs(scenario.parts), t.language),
          ],
        })),
      },
    ],
  };
}

import type { RatioEstimate } from '../statistics/estimate.ts';
import { type Bar, ratioBar } from '../pictures/bars.ts';
import { dotText } from '../pictures/dot-text.ts';
import { ratioAxis } from '../pictures/dots.ts';
import { formatRatio, intervalText } from '../units.ts';
import { type ComparedRuns, compareFindings, compareWarnings } from '../words/compare-wording.ts';
import { effectTexts } from '../words/effect-table.ts';
import { asSentence, percentText, speedText } from '../words/effect-wording.ts';
import { groupedNotices } from '../words/grouped-notices.ts';
import type { Translate } from '../words/i18n.ts';
import { scenarioNameOf } from '../words/wording.ts';
import { type Cell, type Column, type Row, type Section, type TableGroup, withContent } from './blocks.ts';

export function boardOf(compared: ComparedRuns, t: Translate): Section[] {
  const { runs, conditions } = compared;
  const presets = [...new Set(runs.map(({ plan }) => plan.preset.name))];
  const same = conditions.filter(({ differs }) => !differs);
  return withContent([
    {
      id: 'headline',
      title: null,
      level: 'answer',
      blocks: [
        {
          kind: 'headline',
          question: t('ui:compare.titleOf', {
            presets: presets.join(t('report:list.items')),
            count: runs.length,
          }),
          findings: compareFindings(compared, t),
        },
        { kind: 'slot', name: 'actions' },
      ],
    },
    stripsSection(compared, t),
    {
      id: 'warnings',
      title: t('ui:compare.warnings'),
      level: 'answer',
      blocks: [
        {
          kind: 'list',
          items: groupedNotices(compareWarnings(compared, t), t).map(({ message }) => message),
        },
      ],
    },
    differencesSection(compared, t),
    {
      id: 'same',
      title: t('ui:compare.equal', { count: same.length }),
      level: 'answer',
      isLong: true,
      blocks: [
        { kind: 'facts', items: same.map(({ label, values }) => [label, values[0] ?? '']), isFull: true },
      ],
    },
  ]);
}

interface Strip {
  heading: string;
  note: string;
  rows: { run: number; ratio: Shown; bar: Bar; said: Cell }[];
  outlier: number | null;
}

type Shown = Pick<RatioEstimate, 'value' | 'low' | 'high'>;

function stripsSection(compared: ComparedRuns, t: Translate): Section {
  const { names, comparison } = compared;
  const strips = [...speedStrip(compared, t), ...choiceStrips(compared, t)];
  const axis = ratioAxis(strips.flatMap(({ rows }) => rows.map(({ bar }) => bar)));
  const confidence = percentText(comparison.confidence, t);
  const title = t('ui:compare.strips');
  const columns: Column[] = [
    { title: t('ui:environment.runId'), kind: 'name' },
    { title: t('ui:result.bar'), kind: 'bar' },
    { title: '', kind: 'stack', isShort: true },
    { title: t('ui:result.ratio'), kind: 'number' },
    { title: t('report:table.interval', { confidence }), kind: 'number' },
    { title: t('ui:result.verdict'), kind: 'words' },
  ];
  const groups = strips.map(({ heading, note, rows, outlier }): TableGroup => ({
    heading,
    note,
    rows: rows.map(({ run, ratio, bar, said }) => ({
      cells: [
        { text: names[run] ?? '', ...(run === outlier ? { badge: t('ui:compare.outlier') } : {}) },
        { bar },
        dotText(bar, axis),
        formatRatio(ratio.value, t.language),
        intervalText(ratio, t.language),
        said,
      ],
    })),
  }));
  return {
    id: 'strips',
    title,
    level: 'answer',
    figure: 'betweenRuns',
    blocks: [
      { kind: 'lead', text: t('ui:compare.stripsLead'), isFull: true },
      { kind: 'table', name: title, columns, groups, isDense: true },
    ],
  };
}

function speedStrip({ names, comparison }: ComparedRuns, t: Translate): Strip[] {
  const { speeds, analyses, equivalence: margin } = comparison;
  const [analysis] = analyses;
  if (speeds === null || analysis === undefined) return [];
  const isTask = analysis.scenarios.some((one) => one.isTask);
  const rows = speeds.runs.flatMap((speed, run) => {
    if (speed === null) return [];
    const ratio = speed.change ?? { value: speed.ratio, low: null, high: null };
    const bar = ratioBar({ ratio, margin }, run === speeds.slowest ? 'baseline' : speed.verdict);
    return [{ run, ratio, bar, said: speedText(speed.tps, isTask, t) }];
  });
  const heading = t('ui:compare.speedOf', { name: scenarioNameOf(analysis, analysis.baselineId, t) });
  const note = t('ui:result.comparedWith', { name: names[speeds.slowest] ?? '' });
  return [{ heading, note, rows, outlier: null }];
}

function choiceStrips({ comparison }: ComparedRuns, t: Translate): Strip[] {
  return comparison.choices.flatMap(({ effects, outlier }) => {
    const measured = effects.flatMap((effect, run) =>
      effect === null || effect.ratio === null ? [] : [{ run, effect, ratio: effect.ratio }],
    );
    const [first] = measured;
    const analysis = comparison.analyses[first?.run ?? 0];
    if (first === undefined || analysis === undefined) return [];
    const { level, reference } = effectTexts(first.effect, analysis, t);
    const rows = measured.map(({ run, effect, ratio }) => {
      const { verdict: tone } = effect;
      const said = { text: t(`ui:compare.verdict.${tone}`), tone };
      return { run, ratio, bar: ratioBar(effect, tone), said };
    });
    const note = t('ui:result.comparedWith', { name: reference });
    return [{ heading: asSentence(level, t), note, rows, outlier }];
  });
}

function differencesSection({ names, conditions }: ComparedRuns, t: Translate): Section {
  const title = t('ui:compare.differences');
  const differing = conditions.filter(({ differs }) => differs);
  const groups = differing.map(({ label, values }): TableGroup => {
    const rows = [...new Set(values)].map((value): Row => {
      const own = names.filter((_, run) => values[run] === value);
      return { cells: [value, own.join(t('report:list.items'))] };
    });
    return { heading: label, rows };
  });
  return {
    id: 'differences',
    title,
    level: 'answer',
    blocks: [
      { kind: 'lead', text: t(`ui:compare.${differing.length === 0 ? 'noDifferences' : 'differencesLead'}`) },
      {
        kind: 'table',
        name: title,
        columns: [
          { title: t('ui:compare.condition'), kind: 'name' },
          { title: t('ui:compare.results'), kind: 'words' },
        ],
        groups,
      },
    ],
  };
}

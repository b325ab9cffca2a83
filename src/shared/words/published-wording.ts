import type { Analysis, ComparedFigure } from '../analysis/analysis.ts';
import type { PublishedMeasure } from '../model/reference.ts';
import { comparisonOf } from '../analysis/comparisons.ts';
import { messageText, type Translate } from './i18n.ts';
import { labelText, pathName, rowName } from './labels.ts';
import { formatLatency, formatNumber, formatRate, formatRatio, NO_VALUE } from '../units.ts';
import { verdictText } from './wording.ts';

/** The first row is the header; empty if only throughput was published. */
export function publishedRows(analysis: Analysis, t: Translate): string[][] {
  const { scenarios } = analysis;
  const rows = scenarios.flatMap((scenario) => {
    const name = rowName(scenario, analysis, t);
    return (scenario.reference?.figures ?? []).map(({ measure, published, measured }) => [
      name,
      t(`report:published.measures.${measure}`),
      measured === null ? NO_VALUE : valueText(measure, measured.value, t),
      ratioText(measured),
      valueText(measure, published.value, t),
      formatRatio(published.ratio),
    ]);
  });
  if (
    scenarios.every(({ reference }) => (reference?.figures ?? []).every(({ measure }) => measure === 'tps'))
  ) {
    return [];
  }
  return [COLUMNS.map((column) => t(column)), ...rows];
}

const COLUMNS = [
  'ui:result.scenario',
  'report:published.columns.figure',
  'report:published.columns.measured',
  'report:table.ofBaseline',
  'ui:result.published',
  'report:table.ofBaseline',
] as const;

function ratioText(measured: ComparedFigure['measured']): string {
  const ratio = measured?.ratio ?? null;
  return ratio === null ? NO_VALUE : formatRatio(ratio);
}

function valueText(measure: PublishedMeasure, value: number, t: Translate): string {
  switch (measure) {
    case 'minMs':
    case 'meanMs':
    case 'p95Ms':
    case 'maxMs':
      return formatLatency(value * 1000, t.language);
    case 'ignoredErrorsPerSecond':
      return formatNumber(value, 2, t.language);
    case 'deadlocksPerMinute':
      return formatNumber(value, 1, t.language);
    case 'tps':
    case 'qps':
    case 'readWriteRequests':
      return formatRate(value, t.language);
  }
}

export function publishedNotes(analysis: Analysis, t: Translate): string[] {
  return [...conclusions(analysis, t), ...otherPaths(analysis, t)];
}

function conclusions(analysis: Analysis, t: Translate): string[] {
  const verdicts = new Map<string, string[]>();
  for (const scenario of analysis.scenarios) {
    const published = scenario.reference?.conclusion?.[t.language];
    if (published === undefined) continue;
    const own = scenario.isBaseline
      ? t('report:published.nothingToCompare', { name: rowName(scenario, analysis, t) })
      : verdictText(scenario, analysis, t);
    verdicts.set(published, [...(verdicts.get(published) ?? []), own]);
  }
  return [...verdicts].map(([published, own]) =>
    t('report:published.conclusion', { published, own: own.join(t('report:list.clauses')) }),
  );
}

function otherPaths(analysis: Analysis, t: Translate): string[] {
  return analysis.scenarios.flatMap(({ id, label, reference }) => {
    const path = reference?.otherPath ?? null;
    if (path === null) return [];
    const name = labelText(label, t, comparisonOf(analysis, id));
    return [t('report:published.otherPath', { name, path: messageText(pathName(path), t) })];
  });
}

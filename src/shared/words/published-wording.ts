import type { Analysis, ComparedFigure, PublishedClaim } from '../analysis/analysis.ts';
import type { PublishedMeasure } from '../model/reference.ts';
import { comparisonOf } from '../analysis/comparisons.ts';
import { intervalTextOf } from './effect-wording.ts';
import { messageText, type Translate } from './i18n.ts';
import { labelText, pathName, rowName } from './labels.ts';
import { formatCount, formatLatency, formatNumber, formatRate, formatRatio, NO_VALUE } from '../units.ts';

/** The header comes first; empty if only throughput was published. */
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

/** "Published: NFS cost 36%. Here: 0.70× as fast, …: confirmed (…)." */
export function claimSentences({ claims }: Pick<Analysis, 'claims'>, t: Translate): string[] {
  return claims.map((claim) =>
    t('report:published.claim', { published: claim.says[t.language], own: ownText(claim, t) }),
  );
}

function ownText(claim: PublishedClaim, t: Translate): string {
  const { ratio, verdict, minutes } = claim;
  if (ratio === null) return t('messages:verdict.notMeasured');
  const speed = t('report:effect.speed', { size: sizeOf([ratio.value], t) });
  const own = [speed, intervalTextOf(ratio, t)].join(t('report:list.parts'));
  const about = { own, range: rangeText(claim, t) };
  if (verdict !== 'inconclusive') return t(`report:published.${verdict}`, about);
  return minutes === null
    ? t('report:published.openLong', about)
    : t('report:published.open', { ...about, minutes: formatCount(minutes, t.language) });
}

function rangeText({ low, high }: PublishedClaim, t: Translate): string {
  const size = sizeOf(
    [low, high].flatMap((bound) => bound ?? []),
    t,
  );
  if (low === null) return t('ui:environment.atMost', { time: size });
  return high === null ? t('report:published.atLeast', { size }) : size;
}

/** "0.91×" or "0.91–0.98×" */
function sizeOf(ratios: readonly number[], t: Translate): string {
  return t('report:effect.size', { number: ratios.map((one) => formatRatio(one, t.language)).join('–') });
}

export function publishedNotes(analysis: Analysis, t: Translate): string[] {
  return analysis.scenarios.flatMap(({ id, label, reference }) => {
    const path = reference?.otherPath ?? null;
    if (path === null) return [];
    const name = labelText(label, t, comparisonOf(analysis, id));
    return [t('report:published.otherPath', { name, path: messageText(pathName(path), t) })];
  });
}

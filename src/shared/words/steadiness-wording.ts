import type { Analysis, SteadinessVerdict } from '../analysis/analysis.ts';
import { percentText } from './effect-wording.ts';
import type { Translate } from './i18n.ts';
import { rowName } from './labels.ts';
import { formatRatio, intervalText, NO_VALUE } from '../units.ts';

const COLUMNS = [
  'ui:result.scenario',
  'report:steadiness.columns.variation',
  'report:steadiness.columns.stalled',
  'report:table.ofBaseline',
  'report:table.interval',
  'ui:result.verdict',
] as const;

/** The header comes first; empty for short trials or equal scenarios. */
export function steadinessRows(analysis: Analysis, t: Translate): string[][] {
  const rows = analysis.scenarios.flatMap((scenario) => {
    const { steadiness, isBaseline } = scenario;
    if (steadiness === null) return [];
    const { variation, stalledShare, ratio, verdict } = steadiness;
    return [
      [
        rowName(scenario, analysis, t),
        `${percentText(variation, t)}%`,
        `${percentText(stalledShare, t)}%`,
        ratio === null ? NO_VALUE : formatRatio(ratio.value, t.language),
        isBaseline ? NO_VALUE : intervalText(ratio, t.language),
        isBaseline ? t('ui:common.baseline') : verdictText(verdict, t),
      ],
    ];
  });
  if (!analysis.scenarios.some(({ steadiness }) => isDifferent(steadiness?.verdict))) return [];
  const confidence = percentText(analysis.confidence, t);
  return [COLUMNS.map((column) => t(column, { confidence })), ...rows];
}

function verdictText(verdict: SteadinessVerdict, t: Translate): string {
  return verdict === 'same' || verdict === 'inconclusive'
    ? t(`messages:verdict.${verdict}`)
    : t(`report:steadiness.verdicts.${verdict}`);
}

export function steadinessSentences(analysis: Analysis, t: Translate): string[] {
  const measured = analysis.scenarios.filter(({ steadiness }) => steadiness !== null);
  const conclusive = measured.flatMap((scenario) => {
    const { ratio, verdict } = scenario.steadiness ?? { ratio: null, verdict: 'inconclusive' };
    if (ratio === null || scenario.isBaseline) return [];
    if (!isDifferent(verdict)) return [];
    return [
      t(`report:steadiness.sentence.${verdict}`, {
        name: rowName(scenario, analysis, t),
        ratio: formatRatio(ratio.value, t.language),
        confidence: percentText(ratio.confidence, t),
        interval: intervalText(ratio, t.language),
      }),
    ];
  });
  if (conclusive.length > 0) return conclusive;
  const compared = measured.filter(({ isBaseline }) => !isBaseline);
  const same = compared.length > 0 && compared.every(({ steadiness }) => steadiness?.verdict === 'same');
  return same ? [t('report:steadiness.allSame')] : [];
}

function isDifferent(verdict: SteadinessVerdict | undefined): verdict is 'less-steady' | 'steadier' {
  return verdict === 'less-steady' || verdict === 'steadier';
}

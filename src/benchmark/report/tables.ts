import { type Comparison } from '../../shared/analysis/comparisons.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import {
  asSentence,
  effectText,
  isKnee,
  markSigns,
  percentText,
  verdictLabel,
} from '../../shared/words/wording.ts';
import type { Analysis, Ramp, ScenarioAnalysis } from '../../shared/model/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { tpccFigures, type TpccFigures } from '../../shared/analysis/tpcc-figures.ts';
import { formatCount, formatLatency, formatRate, formatRatio, NO_VALUE } from '../../shared/words/units.ts';
import { labelText } from '../../shared/words/labels.ts';

/** Columns of some runs only. */
interface Columns {
  tpcc: Map<string, TpccFigures>;
  published: boolean;
  /** At a fixed rate. */
  mean: boolean;
}

/** A header, and a row per scenario. */
export function tableRows(
  comparison: Comparison,
  state: RunState,
  analysis: Analysis,
  t: Translate,
): string[][] {
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
  const bounds =
    ratio === null || ratio.low === null || ratio.high === null || scenario.isBaseline
      ? NO_VALUE
      : `${formatRatio(ratio.low)}–${formatRatio(ratio.high)}`;
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

/** A header, and a row per level; the knee is marked. */
export function rampRows({ levels, knee }: Ramp, t: Translate): string[][] {
  const header = [
    t('report:ramp.connections'),
    t('report:table.tps'),
    t('report:ramp.spread'),
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
    isKnee(knee, connections) ? `← ${t('report:ramp.kneeMark')}` : '',
  ]);
  return [header, ...rows];
}

function verdictCell(scenario: ScenarioAnalysis, t: Translate): string {
  const settled = !scenario.isBaseline && (scenario.verdict === 'slower' || scenario.verdict === 'faster');
  const verdict =
    settled && scenario.ratio !== null ? effectText(scenario.ratio, t) : verdictLabel(scenario, t);
  const cell = scenario.isNoiseFloor ? `${verdict} (${t('report:table.noiseFloor')})` : verdict;
  return scenario.marks.length === 0 ? cell : `${cell} ${markSigns(scenario.marks)}`;
}

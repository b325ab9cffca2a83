import stringWidth from 'string-width';
import { failureGroups } from '../../shared/failures.ts';
import { createTranslator, type Translate } from '../../shared/i18n.ts';
import type { Analysis, ScenarioAnalysis } from '../../shared/model/analysis.ts';
import type { Notice } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { imageText, machineText, methodText } from '../../shared/provenance.ts';
import { formatLatency, formatRate, formatRatio, NO_VALUE } from '../../shared/units.ts';
import {
  asSentence,
  effectText,
  headlineDetail,
  headlineText,
  noiseFloorText,
  percentText,
  scenarioNameOf,
  verdictLabel,
} from '../../shared/wording.ts';

/** A run for a terminal: remarks before any verdict, the headline, one line per scenario, how it was measured. */
export function renderText(state: RunState, analysis: Analysis): string {
  const t = createTranslator('en');
  const noise = noiseFloorText(analysis, t);
  const blocks = [
    [state.plan.preset.question],
    analysis.notices.map((notice) => noticeLine(notice, analysis, t)),
    [headlineText(analysis, t), headlineDetail(analysis, t)],
    alignedTable(tableRows(analysis, t)),
    [
      ...(noise === undefined ? [] : [noise]),
      ...state.plan.excluded.map((one) => t('report:text.excluded', { ...one, name: one.name })),
      ...failureLines(state, t),
    ],
    [
      t('report:text.machine', { line: `${machineText(state, t)} · ${imageText(state.plan.image, t)}` }),
      t('report:text.method', { line: methodText(state, analysis, t) }),
    ],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function noticeLine(notice: Notice, analysis: Analysis, t: Translate): string {
  const { message, scenarioId } = notice;
  if (scenarioId === undefined) return t('report:text.notice', { message });
  return t('report:text.noticeAbout', { message, name: scenarioNameOf(analysis, scenarioId) });
}

function failureLines(state: RunState, t: Translate): string[] {
  return failureGroups(state).map(({ scenarioId, error }) =>
    t('report:text.failed', { trial: scenarioId, message: `${error.message} [${error.code}]` }),
  );
}

function tableRows(analysis: Analysis, t: Translate): string[][] {
  const header = [
    t('report:table.scenario'),
    t('report:table.tps'),
    t('report:table.p50'),
    t('report:table.p95'),
    t('report:table.ratio'),
    t('report:table.interval', { confidence: percentText(analysis.confidence, t) }),
    t('report:table.rounds'),
    t('report:table.verdict'),
  ];
  return [header, ...analysis.scenarios.map((scenario) => tableRow(scenario, t))];
}

function tableRow(scenario: ScenarioAnalysis, t: Translate): string[] {
  const { ratio, latency, measured, failed } = scenario;
  const bounds =
    ratio === null || ratio.low === null || ratio.high === null || scenario.isBaseline
      ? NO_VALUE
      : `${formatRatio(ratio.low)}–${formatRatio(ratio.high)}`;
  return [
    asSentence(scenario.name, t),
    formatRate(scenario.tps),
    formatLatency(latency?.p50Us ?? null),
    formatLatency(latency?.p95Us ?? null),
    ratio === null ? NO_VALUE : formatRatio(ratio.value),
    bounds,
    failed === 0
      ? String(measured)
      : t('report:table.roundsPartly', { measured, planned: measured + failed }),
    verdictCell(scenario, t),
  ];
}

function verdictCell(scenario: ScenarioAnalysis, t: Translate): string {
  const settled = !scenario.isBaseline && (scenario.verdict === 'slower' || scenario.verdict === 'faster');
  const verdict =
    settled && scenario.ratio !== null ? effectText(scenario.ratio, t) : verdictLabel(scenario, t);
  return scenario.isNoiseFloor ? `${verdict} (${t('report:table.noiseFloor')})` : verdict;
}

/** First and last column to the left, figures to the right; the last column is not padded. */
function alignedTable(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const last = widths.length - 1;
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const fill = ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
        if (column === last) return cell;
        return column === 0 ? cell + fill : fill + cell;
      })
      .join('  '),
  );
}

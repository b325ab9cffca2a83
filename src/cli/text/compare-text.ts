import { alignedTables } from '../../benchmark/report/text-table.ts';
import { compareRuns, type RunsComparison } from '../../shared/analysis/compare-runs.ts';
import {
  cellRatioText,
  changeText,
  compareWarnings,
  estimateText,
  runLetter,
} from '../../shared/words/compare-wording.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { machineText, serversText } from '../../shared/words/provenance.ts';
import { runConditions } from '../../shared/words/run-conditions.ts';
import { formatLatency, formatRate, NO_VALUE } from '../../shared/words/units.ts';
import { headlineText } from '../../shared/words/wording.ts';

/** A run to compare, with what the user called it on the command line. */
export interface NamedRun {
  source: string;
  state: RunState;
}

/** Runs side by side for a terminal: what must be known, what differs, then a line for each scenario and run. */
export function renderComparison(named: readonly NamedRun[]): string {
  const runs = named.map(({ state }) => state);
  const comparison = compareRuns(runs);
  const conditions = runConditions(runs, t);
  const differing = conditions.filter(({ differs }) => differs);
  const blocks = [
    named.flatMap(({ source, state }, index) => {
      const analysis = comparison.analyses[index];
      return [
        `${runLetter(index)}: ${state.plan.preset.name}, ${new Date(state.startedAt).toISOString().slice(0, 16).replace('T', ' ')} (${source})`,
        ...(analysis === undefined ? [] : [`   ${headlineText(analysis, t)}`]),
        `   ${machineText(state, t)} · ${serversText(state.plan, t)}`,
      ];
    }),
    compareWarnings(runs, comparison, conditions, t).map(({ message }) =>
      t('report:text.notice', { message }),
    ),
    differing.length === 0
      ? [t('ui:compare.noDifferences')]
      : [
          `${t('ui:compare.differences')}:`,
          ...differing.flatMap(({ label, values }) => [
            `  ${label}`,
            ...values.map((value, index) => `    ${runLetter(index)}  ${value}`),
          ]),
        ],
    comparison.scenarios.length === 0 ? [t('ui:compare.nothingMatches')] : table(comparison),
    comparison.unmatched.length === 0
      ? []
      : [
          `${t('ui:compare.unmatched')}:`,
          ...comparison.unmatched.map(({ run, name }) => `  ${runLetter(run)}  ${name}`),
        ],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function table({ scenarios }: RunsComparison): string[] {
  const header = [
    t('ui:compare.scenario'),
    '',
    t('ui:compare.tps'),
    t('ui:compare.p95'),
    t('ui:compare.ratio'),
    t('ui:compare.change'),
    t('ui:compare.verdict'),
  ];
  const rows = scenarios.flatMap(({ name, cells, changes }) =>
    cells.map((cell, index) => {
      const change = changes[index] ?? null;
      return [
        index === 0 ? name : '',
        runLetter(index),
        formatRate(cell?.tps ?? null),
        formatLatency(cell?.p95Us ?? null),
        cell === null ? NO_VALUE : cellRatioText(cell, t),
        estimateText(change?.relative ?? null, t),
        change === null || cell?.isBaseline === true ? '' : changeText(change, t),
      ];
    }),
  );
  return alignedTables([[header, ...rows]])
    .flat()
    .map((line) => line.trimEnd());
}

/** What `compare --json` prints: stable for scripts; fields are added, never renamed. */
export function comparisonSummary(named: readonly NamedRun[]) {
  const runs = named.map(({ state }) => state);
  const comparison = compareRuns(runs);
  const conditions = runConditions(runs, t);
  return {
    runs: named.map(({ source, state }) => ({
      source,
      runId: state.runId,
      preset: state.plan.preset.id,
      startedAt: new Date(state.startedAt).toISOString(),
      outcome: state.outcome,
    })),
    interleaved: false,
    confidence: comparison.confidence,
    equivalence: comparison.equivalence,
    differences: conditions.flatMap(({ group, label, values, differs }) =>
      differs ? [{ group, name: label, values }] : [],
    ),
    scenarios: comparison.scenarios.map(({ name, cells, changes }) => ({
      name,
      runs: cells.map((cell, index) => {
        if (cell === null) return null;
        const { scenarioId, isBaseline, tps, p95Us, ratio } = cell;
        const change = changes[index] ?? null;
        return {
          id: scenarioId,
          baseline: isBaseline,
          tps,
          p95Us,
          ratio: ratio?.value ?? null,
          low: ratio?.low ?? null,
          high: ratio?.high ?? null,
          change: change?.relative ?? null,
          verdict: change === null || change.relative === null ? null : change.verdict,
          absolute: change?.absolute ?? null,
        };
      }),
    })),
    unmatched: comparison.unmatched,
    warnings: compareWarnings(runs, comparison, conditions, t).map(({ code, message }) => ({
      code,
      message,
    })),
  };
}

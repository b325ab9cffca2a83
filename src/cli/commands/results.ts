import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { alignedTable, renderText } from '../../benchmark/report/text.ts';
import { RunStore } from '../../benchmark/store/run-store.ts';
import { readResultFile } from '../../benchmark/store/read-result.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import type { Placement } from '../../shared/analysis/app-place.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Language } from '../../shared/model/settings.ts';
import type { ExportFormat, PrivateKind } from '../../shared/model/sharing.ts';
import {
  type ChangeCondition,
  checkLevels,
  conditionLines,
  type ConditionOption,
  conditionSummary,
  exitCodeOfConditions,
  judgeChanges,
  judgeLevels,
  type LevelCondition,
} from '../conditions.ts';
import { EXIT, usage } from '../exit-codes.ts';
import {
  cellRatioText,
  changeSentence,
  changeText,
  compareWarnings,
  estimateText,
  MOST_RUNS,
  runLetter,
} from '../../shared/words/compare-wording.ts';
import { runSummary } from '../text/run-summary.ts';
import { paths, whalemark } from '../installation.ts';
import { note, print, printFile, printJson } from '../text/terminal.ts';
import { compareRuns, type RunsComparison } from '../../shared/analysis/compare-runs.ts';
import { labelText } from '../../shared/words/labels.ts';
import { ENGLISH as t } from '../../shared/words/i18n.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { machineText, serversText } from '../../shared/words/provenance.ts';
import { runConditions } from '../../shared/words/facts.ts';
import { formatLatency, formatRate, NO_VALUE } from '../../shared/units.ts';
import { headlineText } from '../../shared/words/wording.ts';

export interface JsonOption {
  json?: boolean | undefined;
}

export interface AppOption {
  app?: Placement | undefined;
}

interface ReportOptions {
  language?: Language | undefined;
  include?: PrivateKind[] | undefined;
  output?: string | undefined;
  force?: boolean | undefined;
}

export async function analyzeResult(
  source: string,
  { app, json, failIf }: AppOption & JsonOption & ConditionOption<LevelCondition>,
): Promise<number> {
  const state = await openResult(source);
  checkLevels(failIf, state.plan, 'analyze');
  const analysis = analyze(state, { appPlace: app ?? null });
  const conditions = judgeLevels(failIf, analysis);
  if (json) {
    printJson({ ...runSummary(state, analysis, source), conditions: conditionSummary(conditions) });
  } else print(renderText(state, analysis) + conditionLines(conditions));
  return exitCodeOfConditions(conditions);
}

export async function reportResult(
  source: string,
  format: ExportFormat,
  { language = 'en', include = [], output, force: overwrite = false }: ReportOptions,
): Promise<number> {
  if (format === 'png' && output === undefined) throw usage('png needs --output FILE.', 'report');
  if (output !== undefined) await checkTargets([output], { overwrite });
  const state = await openResult(source);
  if (output !== undefined && existsSync(source) && (await isSameFile(source, output))) {
    throw usage(`--output ${output} is the result itself. Choose another file.`, 'report');
  }
  const bytes = await whalemark.export(format, state, { language, include });
  if (output === undefined) {
    printFile(Buffer.from(bytes).toString('utf8'));
  } else {
    await writeExport(output, bytes, { overwrite });
    note(`Saved: ${output}`);
  }
  return EXIT.done;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realpath(one)) === (await realpath(other).catch(() => undefined));
}

const RUN_ID = /^\d{8}-\d{6}-\w+$/;

export async function compareResults(
  sources: string[],
  { json, failIf }: JsonOption & ConditionOption<ChangeCondition>,
): Promise<number> {
  if (sources.length < 2 || sources.length > MOST_RUNS)
    throw usage(`Give 2 to ${MOST_RUNS} result files or run IDs (see: whalemark history).`, 'compare');
  const runs: RunState[] = [];
  // One at a time: each may take hundreds of megabytes.
  for (const source of sources) runs.push(await openResult(source));
  const compared = comparedRuns(sources, runs);
  const conditions = judgeChanges(failIf, compared.comparison);
  if (json) printJson({ ...comparisonSummary(compared), conditions: conditionSummary(conditions) });
  else print(renderComparison(compared) + conditionLines(conditions));
  return exitCodeOfConditions(conditions);
}

export async function openResult(source: string): Promise<RunState> {
  const found = statSync(source, { throwIfNoEntry: false });
  if (RUN_ID.test(source) && found?.isFile() !== true) return new RunStore(paths.dataDir).load(source);
  if (found === undefined) throw new BenchmarkError('RESULT_UNKNOWN', { name: source });
  return readResultFile(source, basename(source));
}

type ComparedRuns = ReturnType<typeof comparedRuns>;

export function comparedRuns(sources: readonly string[], runs: readonly RunState[]) {
  const comparison = compareRuns(runs);
  const conditions = runConditions(runs, t);
  const differing = conditions.filter(({ differs }) => differs);
  return { sources, runs, comparison, differing, warnings: compareWarnings(runs, comparison, conditions) };
}

export function renderComparison({ sources, runs, comparison, differing, warnings }: ComparedRuns): string {
  const blocks = [
    [changeSentence(comparison, t)],
    runs.flatMap((state, index) => {
      const analysis = comparison.analyses[index];
      return [
        `${runLetter(index)}: ${state.plan.preset.name}, ${new Date(state.startedAt).toISOString().slice(0, 16).replace('T', ' ')} (${sources[index]})`,
        ...(analysis === undefined ? [] : [`   ${headlineText(analysis, t)}`]),
        `   ${machineText(state, t)} · ${serversText(state.plan, t)}`,
      ];
    }),
    warnings.map(({ message }) => t('report:text.notice', { message: message.text })),
    differing.length === 0
      ? [t('ui:compare.noDifferences')]
      : [
          `${t('ui:compare.differences')}:`,
          ...differing.flatMap(({ label, values }) => [
            `  ${label}`,
            ...values.map((value, index) => `    ${runLetter(index)}  ${value}`),
          ]),
        ],
    comparison.scenarios.length === 0 ? [] : table(comparison),
    comparison.unmatched.length === 0
      ? []
      : [
          `${t('ui:compare.unmatched')}:`,
          ...comparison.unmatched.map(({ run, label }) => `  ${runLetter(run)}  ${labelText(label, t)}`),
        ],
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function table({ scenarios }: RunsComparison): string[] {
  const header = [
    t('ui:result.scenario'),
    '',
    t('report:figures.tps'),
    t('report:figures.p95'),
    t('ui:result.ratio'),
    t('ui:compare.change'),
    t('ui:result.verdict'),
  ];
  const rows = scenarios.flatMap(({ label, cells, changes }) =>
    cells.map((cell, index) => {
      const change = changes[index] ?? null;
      return [
        index === 0 ? labelText(label, t) : '',
        runLetter(index),
        formatRate(cell?.tps ?? null),
        formatLatency(cell?.p95Us ?? null),
        cell === null ? NO_VALUE : cellRatioText(cell, t),
        estimateText(change?.relative ?? null, t),
        change === null || cell?.isBaseline === true ? '' : changeText(change, t),
      ];
    }),
  );
  return alignedTable([header, ...rows]);
}

/** Stable for scripts: fields are added, never renamed. */
export function comparisonSummary({ sources, runs, comparison, differing, warnings }: ComparedRuns) {
  return {
    runs: runs.map((state, index) => ({
      source: sources[index],
      runId: state.runId,
      preset: state.plan.preset.id,
      startedAt: new Date(state.startedAt).toISOString(),
      outcome: state.outcome,
    })),
    confidence: comparison.confidence,
    equivalence: comparison.equivalence,
    differences: differing.map(({ group, label, values }) => ({ group, name: label, values })),
    scenarios: comparison.scenarios.map(({ label, cells, changes }) => ({
      name: labelText(label, t),
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
    unmatched: comparison.unmatched.map(({ run, label }) => ({ run, name: labelText(label, t) })),
    warnings: warnings.map(({ code, message }) => ({ code, message: message.text })),
  };
}

import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkTargets, writeExport } from '../../benchmark/report/export.ts';
import { ownNames } from '../../benchmark/privacy/redactor.ts';
import { shareable } from '../../benchmark/privacy/shareable.ts';
import { sectionsHtml } from '../../benchmark/report/html.ts';
import { sectionsMarkdown } from '../../benchmark/report/markdown.ts';
import { renderText, sectionsText } from '../../benchmark/report/text.ts';
import { utcText } from '../../benchmark/report/utc-text.ts';
import { type FoundResult, foundResult, readResultFolder } from '../../benchmark/store/result-folder.ts';
import { RunStore } from '../../benchmark/store/run-store.ts';
import { readResultFile } from '../../benchmark/store/read-result.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import type { Placement } from '../../shared/model/names.ts';
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
import { runSummary } from '../text/run-summary.ts';
import { paths, whalemark } from '../installation.ts';
import { note, print, printFile, printJson } from '../text/terminal.ts';
import { labelText } from '../../shared/words/labels.ts';
import { createTranslator, ENGLISH as t } from '../../shared/words/i18n.ts';
import { runIn } from '../../shared/words/plan-in-words.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import {
  comparedRuns,
  type ComparedRuns,
  compareFindings,
  compareWarnings,
} from '../../shared/words/compare-wording.ts';
import { boardOf } from '../../shared/document/board.ts';

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
  given: string[],
  { json, failIf, ...report }: JsonOption & ConditionOption<ChangeCondition> & ReportOptions,
): Promise<number> {
  const { output } = report;
  const format = BOARD_FORMATS.find((one) => output?.toLowerCase().endsWith(`.${one}`));
  if (output !== undefined && format === undefined)
    throw usage('compare --output writes .html and .md files.', 'compare');
  const named: FoundResult[] = [];
  for (const source of given) named.push(...(await resultsAt(source)));
  if (named.length < 2)
    throw usage('Name two or more result files or run IDs (see: whalemark history), or a folder.', 'compare');
  if (output !== undefined && format !== undefined) await writeBoard(named, output, format, report);
  const compared = comparedRuns(named, t, utcText(t));
  const sources = named.map(({ source }) => source);
  const conditions = judgeChanges(failIf, compared.comparison, compared.names);
  if (json) printJson({ ...comparisonSummary(compared, sources), conditions: conditionSummary(conditions) });
  else {
    const board = output === undefined ? sectionsText(boardOf(compared, t)) : '';
    const text = board + conditionLines(conditions);
    if (text !== '') print(text);
  }
  return exitCodeOfConditions(conditions);
}

const BOARD_FORMATS = ['html', 'md'] as const;

async function resultsAt(source: string): Promise<FoundResult[]> {
  if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [foundResult(source, await openResult(source))];
  const { results, unread } = await readResultFolder(source);
  for (const name of unread) note(`Left out, not a result: ${name}`);
  return results;
}

/** Leaves out names, paths, and addresses; file names stay. */
async function writeBoard(
  named: readonly FoundResult[],
  output: string,
  format: (typeof BOARD_FORMATS)[number],
  { language = 'en', include = [], force: overwrite = false }: ReportOptions,
): Promise<void> {
  await checkTargets([output], { overwrite });
  const own = createTranslator(language);
  const shared = named.map(({ name, run }) => ({
    name,
    run: runIn(shareable(run, ownNames(), include).state, language),
  }));
  const compared = comparedRuns(shared, own, utcText(own));
  const sections = boardOf(compared, own);
  const title = compareFindings(compared, own)[0]?.text ?? '';
  const text =
    format === 'md'
      ? sectionsMarkdown(sections, own)
      : sectionsHtml(sections, { title, version: paths.appVersion }, own);
  await writeExport(output, Buffer.from(text, 'utf8'), { overwrite });
  note(`Saved: ${output}`);
}

export async function openResult(source: string): Promise<RunState> {
  const found = statSync(source, { throwIfNoEntry: false });
  if (RUN_ID.test(source) && found?.isFile() !== true) return new RunStore(paths.dataDir).load(source);
  if (found === undefined) throw new BenchmarkError('RESULT_UNKNOWN', { name: source });
  return readResultFile(source, basename(source));
}

/** Stable for scripts: fields are added, never renamed. */
export function comparisonSummary(compared: ComparedRuns, sources: readonly string[]) {
  const { runs, names, comparison, conditions } = compared;
  const differing = conditions.filter(({ differs }) => differs);
  return {
    runs: runs.map((state, index) => ({
      source: sources[index],
      name: names[index],
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
        const { id, isBaseline, tps, latency, ratio } = cell;
        const change = changes[index] ?? null;
        return {
          id,
          baseline: isBaseline,
          tps,
          p95Us: latency?.p95Us ?? null,
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
    warnings: compareWarnings(compared, t).map(({ code, message }) => ({ code, message: message.text })),
  };
}

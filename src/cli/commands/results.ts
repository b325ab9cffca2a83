import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkTargets, renderExport, writeExport } from '../../benchmark/report/export.ts';
import { loadPngAssets } from '../../benchmark/report/png.ts';
import { renderText } from '../../benchmark/report/text.ts';
import { RunStore } from '../../benchmark/runs/run-store.ts';
import { readResultFile } from '../../benchmark/runs/result-process.ts';
import { analyse } from '../../shared/analysis/analyse.ts';
import type { Language } from '../../shared/model/language.ts';
import type { ExportFormat, PrivateKind } from '../../shared/model/sharing.ts';
import { EXIT } from '../exit-codes.ts';
import { MOST_RUNS } from '../../shared/words/compare-wording.ts';
import { comparisonSummary, renderComparison, type NamedRun } from '../text/compare-text.ts';
import { runSummary } from '../text/run-summary.ts';
import { paths } from '../installation.ts';
import { usage } from '../usage.ts';
import { note, print, printFile, printJson } from '../text/terminal.ts';

export interface JsonOption {
  json?: boolean | undefined;
}

export interface ReportOptions {
  format: ExportFormat;
  language?: Language | undefined;
  include?: PrivateKind[] | undefined;
  out?: string | undefined;
  force?: boolean | undefined;
}

/** `whalemark analyse RESULT` */
export async function analyseResult(path: string, { json }: JsonOption): Promise<number> {
  const state = await readResultFile(path, basename(path));
  const analysis = analyse(state);
  if (json) printJson(runSummary(state, analysis, path));
  else print(renderText(state, analysis));
  return EXIT.done;
}

/** `whalemark report RESULT --format …`: to a file, or to stdout for the text formats. */
export async function reportResult(
  path: string,
  { format, language = 'en', include = [], out, force: overwrite = false }: ReportOptions,
): Promise<number> {
  if (format === 'png' && out === undefined) throw usage('A picture needs --out FILE.', 'report');
  if (out !== undefined) await checkTargets([out], { overwrite });
  const state = await readResultFile(path, basename(path));
  if (out !== undefined && (await isSameFile(path, out))) {
    throw usage(`--out ${out} is the result itself. Choose another file.`, 'report');
  }
  const bytes = await renderExport(format, state, () => loadPngAssets(paths.assetsDir), {
    language,
    include,
  });
  if (out === undefined) {
    printFile(Buffer.from(bytes).toString('utf8'));
  } else {
    await writeExport(out, bytes, { overwrite });
    note(`Written: ${out}`);
  }
  return EXIT.done;
}

/** Whatever name or link leads there. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realpath(one)) === (await realpath(other).catch(() => undefined));
}

/** Ids that runs get: other text is meant as a file. */
const RUN_ID = /^\d{8}-\d{6}-\w+$/;

/** `whalemark compare A B …`: result files or ids of runs of the history; the others with the first. */
export async function compareResults(sources: string[], { json }: JsonOption): Promise<number> {
  if (sources.length < 2 || sources.length > MOST_RUNS)
    throw usage(`Name 2 to ${MOST_RUNS} result files, or IDs of runs (see: whalemark history).`, 'compare');
  const named: NamedRun[] = [];
  // One after the other: each may take hundreds of megabytes while it is read.
  for (const source of sources) named.push({ source, state: await open(source) });
  if (json) printJson(comparisonSummary(named));
  else print(renderComparison(named));
  return EXIT.done;
}

function open(source: string): Promise<NamedRun['state']> {
  return RUN_ID.test(source) && !existsSync(source)
    ? new RunStore(paths.dataDir).load(source)
    : readResultFile(source, basename(source));
}

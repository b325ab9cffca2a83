import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkTargets, renderExport, writeExport } from '../../benchmark/report/export.ts';
import { loadPngAssets } from '../../benchmark/report/png.ts';
import { renderText } from '../../benchmark/report/text.ts';
import { readResultFile } from '../../benchmark/runs/result-process.ts';
import { analyse } from '../../shared/analysis/analyse.ts';
import { LANGUAGES } from '../../shared/model/language.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { PRIVATE_KINDS, EXPORT_FORMATS } from '../../shared/model/sharing.ts';
import { parse, usage } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { runSummary } from '../text/run-summary.ts';
import { paths } from '../installation.ts';
import { note, print, printFile, printJson } from '../text/terminal.ts';

async function open(path: string | undefined): Promise<{ path: string; state: RunState }> {
  if (path === undefined) throw usage('Name a result file.');
  return { path, state: await readResultFile(path, basename(path)) };
}

/** `whalemark analyse RESULT` */
export async function analyseCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, { json: { type: 'boolean' } }, 1);
  const { path, state } = await open(positionals[0]);
  const analysis = analyse(state);
  if (values.json === true) printJson(runSummary(state, analysis, path));
  else print(renderText(state, analysis));
  return EXIT.done;
}

/** `whalemark report RESULT --format …`: to a file, or to stdout for the text formats. */
export async function reportCommand(argv: string[]): Promise<number> {
  const options = {
    format: { type: 'string' },
    out: { type: 'string' },
    force: { type: 'boolean' },
    language: { type: 'string' },
    include: { type: 'string' },
  } as const;
  const { values, positionals } = parse(argv, options, 1);
  const format = oneOf('format', values.format, EXPORT_FORMATS);
  const language = oneOf('language', values.language ?? 'en', LANGUAGES);
  const include = (values.include?.split(',') ?? []).map((kind) => oneOf('include', kind, PRIVATE_KINDS));
  const { out } = values;
  if (format === 'png' && out === undefined) throw usage('A picture needs --out FILE.');
  const overwriting = { overwrite: values.force === true };
  if (out !== undefined) await checkTargets([out], overwriting);
  const { path, state } = await open(positionals[0]);
  if (out !== undefined && (await isSameFile(path, out))) {
    throw usage(`--out ${out} is the result itself. Choose another file.`);
  }
  const bytes = await renderExport(format, state, () => loadPngAssets(paths.assetsDir), {
    language,
    include,
  });
  if (out === undefined) {
    printFile(Buffer.from(bytes).toString('utf8'));
  } else {
    await writeExport(out, bytes, overwriting);
    note(`Written: ${out}`);
  }
  return EXIT.done;
}

/** Whatever name or link leads there. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realpath(one)) === (await realpath(other).catch(() => undefined));
}

function oneOf<T extends string>(option: string, value: string | undefined, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw usage(`--${option} is one of ${known.join(', ')}.`);
  return found;
}

import { basename } from 'node:path';
import { renderExport, writeExport } from '../../benchmark/report/export.ts';
import { loadPngAssets } from '../../benchmark/report/png.ts';
import { renderText } from '../../benchmark/report/text.ts';
import { readResultFile } from '../../benchmark/run/stored-result.ts';
import { analyse } from '../../shared/analyse.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../shared/requests/results.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { parse, usage } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { runSummary } from '../run-summary.ts';
import { paths } from '../installation.ts';
import { note, print } from '../terminal.ts';

async function open(path: string | undefined): Promise<{ path: string; state: RunState }> {
  if (path === undefined) throw usage('Name a result file.');
  return { path, state: await readResultFile(path, basename(path)) };
}

/** `whalemark analyse RESULT` */
export async function analyseCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, { json: { type: 'boolean' } }, 1);
  const { path, state } = await open(positionals[0]);
  const analysis = analyse(state);
  if (values.json === true) print(JSON.stringify(runSummary(state, analysis, path), null, 2));
  else print(renderText(state, analysis));
  return EXIT.done;
}

/** `whalemark report RESULT --format …`: to a file, or to stdout for the text formats. */
export async function reportCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, { format: { type: 'string' }, out: { type: 'string' } }, 1);
  const { state } = await open(positionals[0]);
  const format = values.format;
  if (!isFormat(format)) throw usage(`--format is one of ${EXPORT_FORMATS.join(', ')}.`);
  if (format === 'png' && values.out === undefined) throw usage('A picture needs --out FILE.');
  const bytes = await renderExport(format, state, () => loadPngAssets(paths.assetsDir));
  if (values.out === undefined) {
    print(Buffer.from(bytes).toString('utf8'));
  } else {
    await writeExport(values.out, bytes);
    note(`Written: ${values.out}`);
  }
  return EXIT.done;
}

function isFormat(text: string | undefined): text is ExportFormat {
  return EXPORT_FORMATS.some((format) => format === text);
}

import { chmod, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { msg } from '../../shared/message.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { createTranslator, type Translate } from '../../shared/words/i18n.ts';
import type { Language } from '../../shared/model/settings.ts';
import type { ExportFormat, PrivateKind } from '../../shared/model/sharing.ts';
import type { Analysis } from '../../shared/analysis/analysis.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { runIn } from '../../shared/words/plan-in-words.ts';
import { serializeResult } from '../store/result-file.ts';
import { draftOf } from '../files/replace-file.ts';
import { summaryCsv, perSecondCsv } from './csv.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import { ownNames } from '../privacy/redactor.ts';
import { type PngAssets, renderPng } from './png.ts';
import { shareable, type Shareable } from '../privacy/shareable.ts';
import { shareCard } from '../../shared/pictures/card.ts';
import type { SharePreview } from '../../shared/contract/requests/app.ts';

export interface ExportOptions {
  language?: Language | undefined;
  include?: readonly PrivateKind[] | undefined;
}

/** `assets` is called for pictures only. */
export async function renderExport(
  format: ExportFormat,
  state: RunState,
  assets: () => Promise<PngAssets>,
  { language = 'en', include = [] }: ExportOptions = {},
): Promise<Uint8Array> {
  return renderShareable(format, shareable(state, ownNames(), include), assets, createTranslator(language));
}

async function renderShareable(
  format: ExportFormat,
  shared: Shareable,
  assets: () => Promise<PngAssets>,
  t: Translate,
): Promise<Uint8Array> {
  const { state, sharing } = shared;
  const said: Shareable = { state: runIn(state, t.language), sharing };
  const analysis = (): Analysis => analyze(said.state);
  switch (format) {
    case 'csv':
      return utf8(summaryCsv(shared, analyze(state)));
    case 'csv-per-second':
      return utf8(perSecondCsv(state));
    case 'json':
      return utf8(serializeResult(state, sharing));
    case 'html':
      return utf8(htmlReport(said, analysis(), t));
    case 'md':
      return utf8(markdownReport(said, analysis(), t));
    case 'png':
      return renderPng(shareCard(said.state, analysis(), t), await assets());
  }
}

export interface Overwriting {
  overwrite: boolean;
}

export async function checkTargets(paths: readonly string[], { overwrite }: Overwriting): Promise<void> {
  const there: string[] = [];
  for (const path of paths) if ((await modeOf(path)) !== undefined) there.push(path);
  if (there.length > 0 && !overwrite) throw new BenchmarkError('EXPORT_EXISTS', { files: there.join(', ') });
}

async function modeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return found?.mode;
  throw new BenchmarkError('EXPORT_FAILED', { reason: msg('file.notRegular', { path }) });
}

export async function writeExport(path: string, bytes: Uint8Array, overwriting: Overwriting): Promise<void> {
  await checkTargets([path], overwriting);
  const mode = await modeOf(path);
  const unfinished = draftOf(path);
  try {
    await writeFile(unfinished, bytes, { flag: 'wx' });
    if (mode !== undefined) await chmod(unfinished, mode);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    const reason = cause instanceof Error ? cause.message.replaceAll(unfinished, path) : String(cause);
    throw new BenchmarkError('EXPORT_FAILED', { reason }, { cause });
  }
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

const BEGINNING = 12_000;
const FIRST_WINDOWS = 60;

export async function renderPreview(
  format: ExportFormat,
  state: RunState,
  assets: () => Promise<PngAssets>,
  { language = 'en', include = [] }: ExportOptions = {},
): Promise<SharePreview> {
  const shared = shareable(state, ownNames(), include);
  const isLong = format === 'json' || format === 'csv-per-second';
  const first = isLong ? { ...shared, state: withFirstWindows(shared.state) } : shared;
  const bytes = Buffer.from(await renderShareable(format, first, assets, createTranslator(language)));
  const { sharing } = shared;
  if (format === 'png') {
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    return { content: { kind: 'picture', url }, sharing };
  }
  const text = bytes.toString('utf8');
  const end = isLong || format === 'csv' ? beginningOf(text) : text.length;
  const isWhole = end === text.length && windowCount(first.state) === windowCount(shared.state);
  return { content: { kind: 'text', text: text.slice(0, end), isWhole }, sharing };
}

function beginningOf(text: string): number {
  const lineEnd = text.lastIndexOf('\n', BEGINNING);
  return text.length <= BEGINNING ? text.length : lineEnd > 0 ? lineEnd + 1 : BEGINNING;
}

function withFirstWindows(state: RunState): RunState {
  let left = FIRST_WINDOWS;
  const trials = state.trials.map((trial) => {
    const windows = trial.windows.slice(0, left);
    left -= windows.length;
    return { ...trial, windows };
  });
  return { ...state, trials };
}

function windowCount({ trials }: RunState): number {
  return trials.reduce((sum, { windows }) => sum + windows.length, 0);
}

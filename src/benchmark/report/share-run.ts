import type { SharePreview } from '../../shared/contract/requests/app.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { ExportFormat } from '../../shared/model/sharing.ts';
import { answerOf, readApart } from '../reading/reader.ts';
import { type ResultAt, tooMuchOf } from '../store/read-result.ts';
import { readResultHere } from '../store/stored-result.ts';
import { type ExportOptions, renderExport, renderPreview } from './export.ts';
import { loadPngAssets } from './png.ts';

export type RunToShare = ResultAt | { state: RunState };

interface Wanted extends ExportOptions {
  format: ExportFormat;
  assetsDir: string;
}

/** Strangers' files may take long, so the reader analyzes them. */
export async function previewRun(run: RunToShare, wanted: Wanted): Promise<SharePreview> {
  if ('state' in run) return preview(run.state, wanted);
  return readApart('preview', previewHere, { ...run, ...wanted }, tooMuchOf(run.name));
}

export async function exportRun(run: RunToShare, wanted: Wanted): Promise<Uint8Array> {
  if ('state' in run) return exported(run.state, wanted);
  const question = { ...run, ...wanted };
  return (await answerOf('export', question, tooMuchOf(run.name))) ?? exportHere(question);
}

export async function previewHere({ path, name, ...wanted }: ResultAt & Wanted): Promise<SharePreview> {
  return preview(await readResultHere(path, name), wanted);
}

export async function exportHere({ path, name, ...wanted }: ResultAt & Wanted): Promise<Uint8Array> {
  return exported(await readResultHere(path, name), wanted);
}

function preview(state: RunState, { format, assetsDir, ...options }: Wanted): Promise<SharePreview> {
  return renderPreview(format, state, () => loadPngAssets(assetsDir), options);
}

function exported(state: RunState, { format, assetsDir, ...options }: Wanted): Promise<Uint8Array> {
  return renderExport(format, state, () => loadPngAssets(assetsDir), options);
}

import type { Translate } from '../../shared/words/i18n.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { resultPieces } from '../runs/result-file.ts';
import type { ExportFormat } from '../../shared/model/sharing.ts';
import type { SharePreview } from '../../shared/contract/requests/app.ts';
import { renderShareable } from './export.ts';
import type { PngAssets } from './png.ts';
import type { Shareable } from '../privacy/shareable.ts';

/** Characters shown of a long file. */
const BEGINNING = 12_000;
/** Fills them with CSV. */
const FIRST_WINDOWS = 60;

/** All of a picture, page, or Markdown; the beginning of data. */
export async function renderPreview(
  format: ExportFormat,
  shared: Shareable,
  assets: () => Promise<PngAssets>,
  t: Translate,
): Promise<SharePreview['content']> {
  if (format === 'json') return beginning(pieces(shared));
  const first = format === 'windows-csv' ? { ...shared, state: withFirstWindows(shared.state) } : shared;
  const bytes = Buffer.from(await renderShareable(format, first, assets, t));
  if (format === 'png') return { kind: 'picture', url: `data:image/png;base64,${bytes.toString('base64')}` };
  const text = bytes.toString('utf8');
  if (format === 'html' || format === 'md') return { kind: 'text', text, isWhole: true };
  const cut = beginning([text]);
  return { ...cut, isWhole: cut.isWhole && windowCount(first.state) === windowCount(shared.state) };
}

/** The whole text of a long result is never built. */
function beginning(parts: Iterable<string>): { kind: 'text'; text: string; isWhole: boolean } {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length > BEGINNING) {
      const end = text.lastIndexOf('\n', BEGINNING);
      return { kind: 'text', text: text.slice(0, end > 0 ? end + 1 : BEGINNING), isWhole: false };
    }
  }
  return { kind: 'text', text, isWhole: true };
}

function pieces({ state, sharing }: Shareable): Generator<string> {
  return resultPieces(state, sharing);
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

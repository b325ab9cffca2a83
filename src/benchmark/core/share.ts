import { createTranslator } from '../../shared/words/i18n.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { Core } from './core.ts';
import { renderExport, writeExport } from '../report/export.ts';
import { ownNames } from '../privacy/own-names.ts';
import type { PngAssets } from '../report/png.ts';
import { renderPreview } from '../report/preview.ts';
import { shareable } from '../privacy/shareable.ts';

type ShareRequests = 'share:preview' | 'core:export' | 'core:export-bytes';

/** What the app asks about giving a result away. `load` rejects for a run that is not known. */
export function shareHandlers(
  load: (runId: string) => Promise<RunState>,
  assets: () => Promise<PngAssets>,
): Pick<Core, ShareRequests> {
  return {
    'share:preview': async ({ runId, format, include, language }) => {
      const shared = shareable(await load(runId), ownNames(), include);
      const content = await renderPreview(format, shared, assets, createTranslator(language));
      return { content, sharing: shared.sharing };
    },
    'core:export': async ({ runId, format, path, ...options }) => {
      await writeExport(path, await renderExport(format, await load(runId), assets, options), {
        // The save dialog has asked.
        overwrite: true,
      });
      return undefined;
    },
    'core:export-bytes': async ({ runId, format, ...options }) => ({
      // A copy: a Buffer of a pool would take the pool along to the other process.
      bytes: Uint8Array.from(await renderExport(format, await load(runId), assets, options)),
    }),
  };
}

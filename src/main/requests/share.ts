import { basename } from 'node:path';
import { allRequests } from '../../shared/contract/ipc.ts';
import { runViewSchema } from '../../shared/model/run-view.ts';
import { writePicture, writeText } from './clipboard.ts';
import { EXTENSIONS, exportFileName } from './export-name.ts';
import { valueFromCore, type AskCore, type MainHandlers } from './router.ts';

type AskTarget = (defaultPath: string, extension: string) => Promise<string | null>;

/** Giving a result away: the core makes what goes out, main puts it into a file or the clipboard. */
export function createShareHandlers(askCore: AskCore, askTarget: AskTarget) {
  return {
    'results:export': async ({ runId, format, ...options }) => {
      const state = runViewSchema.parse(await valueFromCore(askCore, 'results:load', { runId }));
      const path = await askTarget(exportFileName(state, format), EXTENSIONS[format]);
      if (path === null) return null;
      await valueFromCore(askCore, 'core:export', { runId, format, path, ...options });
      return { fileName: basename(path) };
    },
    'share:copy': async (asked) => {
      const answer = await valueFromCore(askCore, 'core:export-bytes', asked);
      const { bytes } = allRequests['core:export-bytes'].answer.parse(answer);
      if (asked.format === 'png') await writePicture(bytes);
      else await writeText(Buffer.from(bytes).toString('utf8'));
      return undefined;
    },
  } satisfies Partial<MainHandlers>;
}

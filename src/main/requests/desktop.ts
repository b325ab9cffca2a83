import { app, shell } from 'electron';
import { allRequests } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { runViewSchema } from '../../shared/model/run-view.ts';
import { writeText } from './clipboard.ts';
import type { GivenFile } from '../given-file.ts';
import { offerCommands } from '../window/menu.ts';
import { valueFromCore, type AskCore, type MainHandlers } from './router.ts';

/** Requests for what the desktop offers: clipboard, menu, file manager, trash, files opened with the app. */
export function createDesktopHandlers(
  askCore: AskCore,
  { given, dataDir }: { given: GivenFile; dataDir: string },
) {
  return {
    'clipboard:write-text': async ({ text }) => {
      await writeText(text);
      return undefined;
    },
    'menu:offer': ({ commands }) => {
      offerCommands(commands);
      return Promise.resolve(undefined);
    },
    'housekeeping:open-data-folder': async () => {
      // eslint-disable-next-line no-restricted-syntax -- the data folder
      const reason = await shell.openPath(dataDir);
      if (reason !== '') throw new BenchmarkError('FOLDER_NOT_OPENED', { path: dataDir, reason });
      return undefined;
    },
    'history:delete': async ({ id, forGood }) => {
      if (forGood) {
        await valueFromCore(askCore, 'core:history-remove', { id });
        return true;
      }
      const files = await valueFromCore(askCore, 'core:history-files', { id });
      try {
        for (const path of allRequests['core:history-files'].answer.parse(files)) await shell.trashItem(path);
        return true;
      } catch {
        // Such as a Linux desktop without one.
        return false;
      }
    },
    'results:open-given': async () => {
      const path = given.take();
      if (path === undefined) return null;
      app.addRecentDocument(path);
      return runViewSchema.parse(await valueFromCore(askCore, 'core:open-result', { path }));
    },
  } satisfies Partial<MainHandlers>;
}

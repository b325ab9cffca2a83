import { app, shell } from 'electron';
import { BenchmarkError } from '../../shared/errors.ts';
import { runViewSchema } from '../../shared/model/run-view.ts';
import { writeText } from './clipboard.ts';
import type { GivenFile } from '../given-file.ts';
import { offerCommands } from '../window/menu.ts';
import { valueFromCore, type AskCore, type MainHandlers } from './router.ts';

/** Requests for what the desktop offers: clipboard, menu, file manager, files opened with the app. */
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
    'results:open-given': async () => {
      const path = given.take();
      if (path === undefined) return null;
      app.addRecentDocument(path);
      return runViewSchema.parse(await valueFromCore(askCore, 'core:open-result', { path }));
    },
  } satisfies Partial<MainHandlers>;
}

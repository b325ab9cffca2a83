import { basename } from 'node:path';
import { app, dialog, type BrowserWindow, type FileFilter } from 'electron';
import { runStateSchema } from '../shared/model/run-state.ts';
import { EXTENSIONS, exportFileName } from './export-name.ts';
import { valueFromCore, type AskCore, type MainHandlers } from './router.ts';
import { t } from './texts.ts';

/** Requests that need a dialog or what only main knows. */
export function createMainHandlers(askCore: AskCore, window: () => BrowserWindow | undefined): MainHandlers {
  return {
    'app:info': () =>
      Promise.resolve({
        version: app.getVersion(),
        electron: process.versions.electron,
        chrome: process.versions.chrome,
        node: process.versions.node,
        platform: process.platform,
      }),
    'results:open': async () => {
      const options = {
        title: t('dialog.open'),
        properties: ['openFile' as const],
        filters: [filterOf('json')],
      };
      const parent = window();
      const { canceled, filePaths } = await (parent === undefined
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(parent, options));
      const path = filePaths[0];
      if (canceled || path === undefined) return null;
      return runStateSchema.parse(await valueFromCore(askCore, 'core:open-result', { path }));
    },
    'results:export': async ({ runId, format }) => {
      const state = runStateSchema.parse(await valueFromCore(askCore, 'results:load', { runId }));
      const options = {
        title: t('dialog.save'),
        defaultPath: exportFileName(state, format),
        filters: [filterOf(EXTENSIONS[format])],
      };
      const parent = window();
      const { canceled, filePath } = await (parent === undefined
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(parent, options));
      if (canceled || filePath === undefined || filePath === '') return null;
      await valueFromCore(askCore, 'core:export', { runId, format, path: filePath });
      return { fileName: basename(filePath) };
    },
  };
}

function filterOf(extension: string): FileFilter {
  return {
    name: t(`dialog.filter.${extension === 'png' ? 'png' : extension === 'csv' ? 'csv' : 'json'}`),
    extensions: [extension],
  };
}

/** Asks whether a run that goes on may be ended by quitting. */
export async function confirmQuit(window: BrowserWindow | undefined): Promise<boolean> {
  const options = {
    type: 'question' as const,
    message: t('dialog.quit.message'),
    detail: t('dialog.quit.detail'),
    buttons: [t('dialog.quit.confirm'), t('dialog.quit.cancel')],
    defaultId: 1,
    cancelId: 1,
  };
  const { response } = await (window === undefined
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === 0;
}

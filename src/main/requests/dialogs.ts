import { basename } from 'node:path';
import {
  app,
  dialog,
  powerMonitor,
  type BrowserWindow,
  type FileFilter,
  type SaveDialogOptions,
} from 'electron';
import { allRequests } from '../../shared/contract/ipc.ts';
import { runViewSchema } from '../../shared/model/run-view.ts';
import { EXTENSIONS, presetFileName } from './export-name.ts';
import { valueFromCore, type AskCore, type MainHandlers } from './router.ts';
import { createShareHandlers } from './share.ts';
import { t } from '../texts.ts';

const FILTERS = ['csv', 'png', 'html', 'md', 'json', 'yaml'] as const;
/** What files of a kind end in; the first is what ours do. */
const ENDINGS = {
  csv: ['csv'],
  png: ['png'],
  html: ['html'],
  md: ['md'],
  json: [EXTENSIONS.json, 'json'],
  yaml: ['yaml', 'yml'],
} satisfies Record<(typeof FILTERS)[number], string[]>;

/** Requests that need a dialog or what only main knows or may do. */
export function createDialogHandlers(askCore: AskCore, window: () => BrowserWindow | undefined) {
  const fromCore = (name: string, params: unknown): Promise<unknown> => valueFromCore(askCore, name, params);
  return {
    'app:info': () =>
      Promise.resolve({
        version: app.getVersion(),
        electron: process.versions.electron,
        chrome: process.versions.chrome,
        node: process.versions.node,
        platform: process.platform,
        isOutdated: process.env['WHALEMARK_OLD_ELECTRON'] !== undefined,
      }),
    'app:power': () => Promise.resolve({ onBattery: powerMonitor.isOnBatteryPower() }),
    'results:open': async () => {
      const path = await chosenFile(window(), t('dialog.open'), [filterOf('json')]);
      if (path === null) return null;
      app.addRecentDocument(path);
      return runViewSchema.parse(await fromCore('core:open-result', { path }));
    },
    ...createShareHandlers(askCore, (defaultPath, extension) =>
      chosenTarget(window(), { title: t('dialog.save'), defaultPath, filters: [filterOf(extension)] }),
    ),
    'presets:import': async () => {
      const path = await chosenFile(window(), t('dialog.importPreset'), [filterOf('yaml'), anyFile()]);
      if (path === null) return null;
      return allRequests['core:import-preset'].answer.parse(await fromCore('core:import-preset', { path }));
    },
    'presets:export': async ({ id }) => {
      const path = await chosenTarget(window(), {
        title: t('dialog.exportPreset'),
        defaultPath: presetFileName(id),
        filters: [filterOf('yaml')],
      });
      if (path === null) return null;
      await fromCore('core:export-preset', { id, path });
      return { fileName: basename(path) };
    },
    'presets:export-text': async ({ id, text }) => {
      const path = await chosenTarget(window(), {
        title: t('dialog.exportPreset'),
        defaultPath: presetFileName(id),
        filters: [filterOf('yaml')],
      });
      if (path === null) return null;
      await fromCore('core:export-preset-text', { text, path });
      return { fileName: basename(path) };
    },
    'imports:open-file': async () => {
      const path = await chosenFile(window(), t('dialog.importSysbench'), [anyFile()]);
      if (path === null) return null;
      return allRequests['core:import-file'].answer.parse(await fromCore('core:import-file', { path }));
    },
  } satisfies Partial<MainHandlers>;
}

/** The file that the user chose, or null. */
async function chosenFile(
  parent: BrowserWindow | undefined,
  title: string,
  filters: FileFilter[],
): Promise<string | null> {
  const options = { title, filters, properties: ['openFile' as const] };
  const { canceled, filePaths } = await (parent === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(parent, options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** Where the user wants something saved, or null. */
async function chosenTarget(
  parent: BrowserWindow | undefined,
  target: SaveDialogOptions,
): Promise<string | null> {
  // Other systems ask by themselves before a file is replaced.
  const options = { ...target, properties: ['showOverwriteConfirmation' as const] };
  const { canceled, filePath } = await (parent === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(parent, options));
  return canceled || filePath === undefined || filePath === '' ? null : filePath;
}

function filterOf(extension: string): FileFilter {
  const name = FILTERS.find((one) => one === extension) ?? 'json';
  return { name: t(`dialog.filter.${name}`), extensions: ENDINGS[name] };
}

function anyFile(): FileFilter {
  return { name: t('dialog.filter.any'), extensions: ['*'] };
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

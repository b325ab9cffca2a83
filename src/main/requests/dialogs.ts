import { basename } from 'node:path';
import { allRequests } from '../../shared/contract/ipc.ts';
import { runStateSchema } from '../../shared/model/run-state.ts';
import { writePicture, writeText } from './desktop.ts';
import { type AskCore, type MainHandlers, valueFromCore } from './router.ts';
import type { ExportFormat } from '../../shared/model/sharing.ts';
import {
  app,
  dialog,
  powerMonitor,
  type BrowserWindow,
  type FileFilter,
  type SaveDialogOptions,
} from 'electron';
import { t } from '../texts.ts';

type AskTarget = (defaultPath: string, extension: string) => Promise<string | null>;

function createShareHandlers(askCore: AskCore, askTarget: AskTarget) {
  return {
    'results:export': async ({ runId, format, ...options }) => {
      const state = runStateSchema.parse(await valueFromCore(askCore, 'results:load', { runId }));
      const path = await askTarget(exportFileName(state, format), EXTENSIONS[format]);
      if (path === null) return null;
      await valueFromCore(askCore, 'core:export', { runId, format, path, ...options });
      return { fileName: basename(path) };
    },
    'share:copy': async (params) => {
      const answer = await valueFromCore(askCore, 'core:export-bytes', params);
      const { bytes } = allRequests['core:export-bytes'].answer.parse(answer);
      if (params.format === 'png') await writePicture(bytes);
      else await writeText(Buffer.from(bytes).toString('utf8'));
      return undefined;
    },
  } satisfies Partial<MainHandlers>;
}

const EXTENSIONS: Record<ExportFormat, string> = {
  csv: 'csv',
  'csv-per-second': 'csv',
  png: 'png',
  html: 'html',
  md: 'md',
  // Systems open files by their last extension.
  json: 'whalemark',
};

export function exportFileName(
  state: { runId: string; plan: { preset: { id: string } } },
  format: ExportFormat,
): string {
  const stamp = /^\d{8}-\d{4}/.exec(state.runId)?.[0] ?? state.runId;
  const suffix = format === 'csv-per-second' ? '-per-second' : '';
  return `${safe(`${state.plan.preset.id}-${stamp}${suffix}`)}.${EXTENSIONS[format]}`;
}

/** By the path that the user chose or dropped, which the window doesn't get. */
export function createDatabaseHandlers(
  askCore: AskCore,
  window: () => BrowserWindow | undefined,
  dropped: () => string,
) {
  let last = '';
  const chosen = {
    dialog: async () =>
      (await chosenFile(window(), t('dialog.openDatabase'), [filterOf('compose'), anyFile()])) ?? '',
    drop: dropped,
    again: () => last,
  };
  return {
    'databases:open': async ({ by }) => {
      const path = await chosen[by]();
      if (path === '') return null;
      last = path;
      return valueFromCore(askCore, 'core:open-database', { path });
    },
  } satisfies Partial<MainHandlers>;
}

function safe(stem: string): string {
  return stem.replace(/[^\w.~-]+/g, '_');
}

const FILTERS = ['csv', 'png', 'html', 'md', 'json', 'yaml', 'compose', 'sql'] as const;
const ENDINGS = {
  csv: ['csv'],
  png: ['png'],
  html: ['html'],
  md: ['md'],
  json: [EXTENSIONS.json, 'json'],
  yaml: ['yaml', 'yml'],
  compose: ['yaml', 'yml'],
  sql: ['sql', 'gz', 'zst'],
} satisfies Record<(typeof FILTERS)[number], string[]>;

export function createDialogHandlers(askCore: AskCore, window: () => BrowserWindow | undefined) {
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
      return valueFromCore(askCore, 'core:open-result', { path });
    },
    ...createShareHandlers(askCore, (defaultPath, extension) =>
      chosenTarget(window(), { title: t('dialog.save'), defaultPath, filters: [filterOf(extension)] }),
    ),
    'presets:import': async () => {
      const path = await chosenFile(window(), t('dialog.importPreset'), [filterOf('yaml'), anyFile()]);
      if (path === null) return null;
      return valueFromCore(askCore, 'core:import-preset', { path });
    },
    'presets:export': async ({ id }) => {
      const path = await chosenTarget(window(), {
        title: t('dialog.exportPreset'),
        defaultPath: `${safe(id)}.yaml`,
        filters: [filterOf('yaml')],
      });
      if (path === null) return null;
      await valueFromCore(askCore, 'core:export-preset', { id, path });
      return { fileName: basename(path) };
    },
  } satisfies Partial<MainHandlers>;
}

export async function chosenFile(
  parent: BrowserWindow | undefined,
  title: string,
  filters: FileFilter[],
  what: 'openFile' | 'openDirectory' = 'openFile',
): Promise<string | null> {
  const options = { title, filters, properties: [what] };
  const { canceled, filePaths } = await (parent === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(parent, options));
  return canceled ? null : (filePaths[0] ?? null);
}

async function chosenTarget(
  parent: BrowserWindow | undefined,
  target: SaveDialogOptions,
): Promise<string | null> {
  // Other systems confirm overwriting by themselves.
  const options = { ...target, properties: ['showOverwriteConfirmation' as const] };
  const { canceled, filePath } = await (parent === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(parent, options));
  return canceled || filePath === undefined || filePath === '' ? null : filePath;
}

export function filterOf(extension: string): FileFilter {
  const name = FILTERS.find((one) => one === extension) ?? 'json';
  return { name: t(`dialog.filter.${name}`), extensions: ENDINGS[name] };
}

export function anyFile(): FileFilter {
  return { name: t('dialog.filter.any'), extensions: ['*'] };
}

export function confirmQuit(window: BrowserWindow | undefined): Promise<boolean> {
  return confirmed(window, {
    message: t('dialog.quit.message'),
    detail: t('dialog.quit.detail'),
    buttons: [t('dialog.quit.confirm'), t('dialog.quit.cancel')],
  });
}

/** Whether the user chose the first of two buttons; the second is the default. */
export async function confirmed(
  parent: BrowserWindow | undefined,
  question: { message: string; detail: string; buttons: [string, string] },
): Promise<boolean> {
  const options = { type: 'question' as const, ...question, defaultId: 1, cancelId: 1 };
  const { response } = await (parent === undefined
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(parent, options));
  return response === 0;
}

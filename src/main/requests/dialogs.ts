import { app, dialog, type BrowserWindow, type FileFilter } from 'electron';
import type { FileRequestName, Params } from '../../shared/contract/ipc.ts';
import { runStateSchema } from '../../shared/model/run-state.ts';
import type { ExportFormat } from '../../shared/model/sharing.ts';
import { t } from '../texts.ts';
import { type AskCore, type MainHandlers, valueFromCore } from './router.ts';

type FileHandlers = Pick<MainHandlers, FileRequestName>;

/** Only the core gets the chosen path. */
export function createFileHandlers(
  askCore: AskCore,
  window: () => BrowserWindow | undefined,
  dropped: () => string,
): FileHandlers {
  let lastDatabase = '';
  const database = async (by: Params<'databases:open'>['by']): Promise<string | null> => {
    if (by === 'dialog') return chosenFile(window(), t('dialog.openDatabase'), ['compose', 'any']);
    return (by === 'drop' ? dropped() : lastDatabase) || null;
  };
  const paths: { [N in FileRequestName]: (params: Params<N>) => Promise<string | null> } = {
    'results:open': async () => {
      const path = await chosenFile(window(), t('dialog.open'), ['json']);
      if (path !== null) app.addRecentDocument(path);
      return path;
    },
    'results:add': ({ from }) =>
      from === 'file'
        ? chosenFile(window(), t('dialog.open'), ['json'])
        : chosenFile(window(), t('dialog.openFolder'), [], 'openDirectory'),
    'results:export': async ({ runId, format }) => {
      const state = runStateSchema.parse(await valueFromCore(askCore, 'results:load', { runId }));
      return chosenTarget(window(), t('dialog.save'), exportFileName(state, format), format);
    },
    'presets:import': () => chosenFile(window(), t('dialog.importPreset'), ['yaml', 'any']),
    'presets:export': ({ id }) =>
      chosenTarget(window(), t('dialog.exportPreset'), `${safe(id)}.yaml`, 'yaml'),
    'databases:open': async ({ by }) => {
      const path = await database(by);
      if (path !== null) lastDatabase = path;
      return path;
    },
  };
  const handlers = Object.entries(paths).map(([name, choose]) => [
    name,
    async (params: never) => {
      const path = await (choose as (params: never) => Promise<string | null>)(params);
      if (path === null) return null;
      return valueFromCore(askCore, name as FileRequestName, { ...(params as object), path } as never);
    },
  ]);
  return Object.fromEntries(handlers) as FileHandlers;
}

const FILTERS = {
  csv: () => ({ name: t('share.formats.csv'), extensions: ['csv'] }),
  'csv-per-second': () => ({ name: t('share.formats.csv-per-second'), extensions: ['csv'] }),
  png: () => ({ name: t('share.formats.png'), extensions: ['png'] }),
  html: () => ({ name: t('share.formats.html'), extensions: ['html'] }),
  md: () => ({ name: t('share.formats.md'), extensions: ['md'] }),
  // Systems open files by their last extension.
  json: () => ({ name: t('dialog.filter.json'), extensions: ['whalemark', 'json'] }),
  yaml: () => ({ name: t('dialog.filter.yaml'), extensions: ['yaml', 'yml'] }),
  compose: () => ({ name: t('dialog.filter.compose'), extensions: ['yaml', 'yml'] }),
  sql: () => ({ name: t('dialog.filter.sql'), extensions: ['sql', 'gz', 'zst'] }),
  any: () => ({ name: t('dialog.filter.any'), extensions: ['*'] }),
} satisfies Record<ExportFormat | string, () => FileFilter>;
type Filter = keyof typeof FILTERS;

export function exportFileName(
  state: { runId: string; plan: { preset: { id: string } } },
  format: ExportFormat,
): string {
  const stamp = /^\d{8}-\d{4}/.exec(state.runId)?.[0] ?? state.runId;
  const suffix = format === 'csv-per-second' ? '-per-second' : '';
  return `${safe(`${state.plan.preset.id}-${stamp}${suffix}`)}.${FILTERS[format]().extensions[0]}`;
}

function safe(stem: string): string {
  return stem.replace(/[^\w.~-]+/g, '_');
}

export async function chosenFile(
  parent: BrowserWindow | undefined,
  title: string,
  filters: Filter[],
  what: 'openFile' | 'openDirectory' = 'openFile',
): Promise<string | null> {
  const options = { title, filters: filters.map((one) => FILTERS[one]()), properties: [what] };
  const { canceled, filePaths } = await (parent === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(parent, options));
  return canceled ? null : (filePaths[0] ?? null);
}

async function chosenTarget(
  parent: BrowserWindow | undefined,
  title: string,
  defaultPath: string,
  filter: Filter,
): Promise<string | null> {
  // Other systems confirm overwriting by themselves.
  const properties = ['showOverwriteConfirmation' as const];
  const options = { title, defaultPath, filters: [FILTERS[filter]()], properties };
  const { canceled, filePath } = await (parent === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(parent, options));
  return canceled || filePath === undefined || filePath === '' ? null : filePath;
}

export function confirmQuit(window: BrowserWindow | undefined): Promise<boolean> {
  return confirmed(window, {
    message: t('dialog.quit.message'),
    detail: t('dialog.quit.detail'),
    buttons: [t('dialog.quit.confirm'), t('dialog.quit.cancel')],
  });
}

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

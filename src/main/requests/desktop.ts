import { app, clipboard, ClipboardItem, nativeImage, nativeTheme, powerMonitor, shell } from 'electron';
import { englishOf } from '../../shared/message.ts';
import { allRequests, type Answer, type Envelope } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { GivenFile } from '../given-file.ts';
import { offerCommands } from '../window/menu.ts';
import { type AskCore, type MainHandlers, valueFromCore } from './router.ts';
import { SettingsStore } from '../../benchmark/installation/settings-store.ts';
import { chosenLanguage } from '../../shared/words/i18n.ts';
import type { Settings, SettingsProblem } from '../../shared/model/settings.ts';
import { speak } from '../texts.ts';
import { mkdir } from 'node:fs/promises';
import { PRIVATE_FOLDER } from '../../benchmark/files/data-dir.ts';
import { diagnosticsText } from '../../benchmark/diagnostics/diagnostics.ts';
import { logFolder } from '../../benchmark/log/log.ts';
import type { DiagnosticsPart } from '../../shared/contract/requests/app.ts';

export function createDesktopHandlers(
  askCore: AskCore,
  { opened: opened, dataDir }: { opened: GivenFile; dataDir: string },
) {
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
    'share:copy': async (params) => {
      const answer = await valueFromCore(askCore, 'core:export-bytes', params);
      const { bytes } = allRequests['core:export-bytes'].answer.parse(answer);
      if (params.format === 'png') await writePicture(bytes);
      else await clipboard.writeText(Buffer.from(bytes).toString('utf8'));
      return undefined;
    },
    'clipboard:write-text': async ({ text }) => {
      await clipboard.writeText(text);
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
      const folder = await valueFromCore(askCore, 'core:history-folder', { id });
      try {
        await shell.trashItem(allRequests['core:history-folder'].answer.parse(folder));
        return true;
      } catch {
        return false;
      }
    },
    'results:open-given': async () => {
      const path = opened.take();
      if (path === undefined) return null;
      app.addRecentDocument(path);
      return valueFromCore(askCore, 'results:open', { path });
    },
  } satisfies Partial<MainHandlers>;
}

/** Electron 22 writes pictures in another way. */
interface OlderClipboard {
  writeImage(image: Electron.NativeImage): void;
}

async function writePicture(png: Uint8Array<ArrayBuffer>): Promise<void> {
  const board: object = clipboard;
  if (isOlder(board)) board.writeImage(nativeImage.createFromBuffer(Buffer.from(png)));
  else await clipboard.write([new ClipboardItem({ 'image/png': new Blob([png], { type: 'image/png' }) })]);
}

function isOlder(board: object): board is OlderClipboard {
  return 'writeImage' in board;
}

export interface AppSettings {
  readonly current: Settings;
  readonly handlers: Pick<MainHandlers, 'settings:get' | 'settings:change'>;
}

export function setUpSettings(dataDir: string, onChange: (settings: Settings) => void): AppSettings {
  const store = new SettingsStore(dataDir);
  const answer = (problems: SettingsProblem[] = []): Answer<'settings:get'> => ({
    settings: store.current,
    problems,
    systemLanguage: app.getLocale(),
  });
  let toTell = [...store.problems];
  const apply = (): void => {
    const { language, theme } = store.current;
    nativeTheme.themeSource = theme;
    speak(chosenLanguage(language, app.getLocale()));
  };
  apply();
  return {
    get current() {
      return store.current;
    },
    handlers: {
      'settings:get': () => {
        const report = toTell;
        toTell = [];
        return Promise.resolve(answer(report));
      },
      'settings:change': ({ change }) => {
        store.change(change);
        apply();
        onChange(store.current);
        return Promise.resolve(answer());
      },
    },
  };
}

const PATIENCE_MS = 12_000;

export function createDiagnosticsHandlers(
  askCore: AskCore,
  { dataDir, appVersion, settings }: { dataDir: string; appVersion: string; settings: () => Settings },
) {
  return {
    'diagnostics:preview': async () => {
      const { electron, chrome, node } = process.versions;
      const text = await diagnosticsText({
        dataDir,
        appVersion,
        program: [`app, Electron ${electron}, Chromium ${chrome}, Node.js ${node}`],
        settings: settings(),
        engine: await engineParts(askCore),
      });
      return { text };
    },
    'diagnostics:open-log-folder': async () => {
      const folder = logFolder(dataDir);
      await mkdir(folder, PRIVATE_FOLDER).catch(() => undefined);
      // eslint-disable-next-line no-restricted-syntax -- the folder of the log
      const reason = await shell.openPath(folder);
      if (reason !== '') throw new BenchmarkError('FOLDER_NOT_OPENED', { path: folder, reason });
      return undefined;
    },
  } satisfies Partial<MainHandlers>;
}

async function engineParts(askCore: AskCore): Promise<DiagnosticsPart[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  const envelope = await Promise.race<Envelope | undefined>([askCore('core:diagnostics', {}), timeout]);
  clearTimeout(timer);
  if (envelope?.ok === true) {
    const parts = allRequests['core:diagnostics'].answer.safeParse(envelope.value);
    if (parts.success) return parts.data;
  }
  const why =
    envelope === undefined
      ? [`no answer within ${PATIENCE_MS / 1000} s`]
      : envelope.ok
        ? ['an answer that can’t be read']
        : [`${envelope.error.code}: ${envelope.error.message}`, ...envelope.error.evidence.map(englishOf)];
  return [{ title: 'The measuring process told nothing', lines: why }];
}

import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  app,
  dialog,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  shell,
  utilityProcess,
  type BrowserWindow,
} from 'electron';
import { PRIVATE_FOLDER } from '../benchmark/files/data-dir.ts';
import { failureAt } from '../benchmark/files/failures.ts';
import { toErrorData } from '../shared/errors.ts';
import { chosenLanguage, createTranslator, errorText } from '../shared/words/i18n.ts';
import { logCoreExit, setUpLog, withLoggedErrors } from './app-log.ts';
import { CoreProcess } from './core-process.ts';
import { confirmQuit, createFileHandlers } from './requests/dialogs.ts';
import { createTaskHandlers } from './requests/own-task.ts';
import {
  type AppSettings,
  createDesktopHandlers,
  createDiagnosticsHandlers,
  setUpSettings,
} from './requests/desktop.ts';
import { becomeOnlyInstance, GivenFile, receiveFiles } from './given-file.ts';
import { setUpIpc } from './window/ipc.ts';
import { setUpMenu } from './window/menu.ts';
import { installation, paths } from './paths.ts';
import { declareScheme, serveRenderer } from './window/protocol.ts';
import { setUpQuit } from './quit.ts';
import { createRouter, type MainHandlers } from './requests/router.ts';
import { RunCompanion } from './run-companion.ts';
import { isSandboxLost, lockDownApp, lockDownNetwork } from './window/security.ts';
import { speak, t } from './texts.ts';
import { openWindow } from './window/window.ts';

const SHUT_DOWN_MS = 8_000;

// Separates Chromium's files from the shared data.
const userData = join(installation.dataDir, 'electron');
const unwritable = makeOwnFolder(userData);
// Chromium needs one even to show an error.
app.setPath(
  'userData',
  unwritable === undefined ? userData : mkdtempSync(join(tmpdir(), 'whalemark-start-')),
);
if (unwritable === undefined) setUpLog(app, installation.dataDir);
const isOnlyOne = becomeOnlyInstance(app, (file) => {
  opened.give(file);
  comeToFront();
  announceGiven();
});
if (!isOnlyOne) app.exit();
declareScheme(protocol);
lockDownNetwork(app);
// eslint-disable-next-line no-restricted-syntax -- an address of the list in external-links.ts
lockDownApp(app, (address) => void shell.openExternal(address));

let window: BrowserWindow | undefined;
const opened = new GivenFile();
let dropped = '';
let settings: AppSettings | undefined;
let companion: RunCompanion | undefined;

const core = new CoreProcess({
  fork: () =>
    utilityProcess.fork(paths.core, [JSON.stringify(installation)], {
      serviceName: 'whalemark-core',
      stdio: ['ignore', 'inherit', 'pipe'],
    }),
  onEvent: (event) => {
    void companion?.see(event);
    events.push(event);
  },
  onExit: logCoreExit,
});
const askCore = core.request.bind(core);
// The compiler names requests without a handler.
const handlers: MainHandlers = {
  ...createFileHandlers(
    askCore,
    () => window,
    () => dropped,
  ),
  ...createTaskHandlers(
    askCore,
    () => window,
    () => dropped,
  ),
  ...createDesktopHandlers(askCore, { opened: opened, dataDir: installation.dataDir }),
  ...createDiagnosticsHandlers(askCore, { ...installation, settings: () => knownSettings().current }),
  'settings:get': (params) => knownSettings().handlers['settings:get'](params),
  'settings:change': (params) => knownSettings().handlers['settings:change'](params),
};
const events = setUpIpc(
  () => window,
  withLoggedErrors(createRouter(askCore, handlers)),
  (path) => (dropped = path),
);
const quitting = setUpQuit(app, {
  isRunGoingOn: () => companion?.isRunGoingOn ?? false,
  confirm: () => confirmQuit(window),
  shutDown: () => core.shutDown(SHUT_DOWN_MS),
});

receiveFiles(app, opened, announceGiven);

void app.whenReady().then(() => {
  // The first app has been told; this one ends.
  if (!isOnlyOne) return;
  const language = chosenLanguage('system', app.getLocale());
  if (unwritable !== undefined) {
    const { message, hint } = errorText(toErrorData(unwritable), createTranslator(language));
    return refuse(message, hint, () => rmSync(app.getPath('userData'), { recursive: true, force: true }));
  }
  if (isSandboxLost(app, process.env)) {
    speak(language);
    return refuse(t('app.noSandbox'), t('app.noSandboxFix'));
  }
  serveRenderer(protocol, paths.renderer);
  const menu = (): void =>
    setUpMenu(process.platform, (command) => events.push({ type: 'command', command }));
  // The system's language is known only once the app is ready.
  settings = setUpSettings(installation.dataDir, (changed) => {
    menu();
    void core.request('core:settings', { settings: changed });
  });
  menu();
  companion = new RunCompanion(
    { Notification, powerMonitor, powerSaveBlocker },
    {
      window: () => window,
      notifies: () => knownSettings().current.notify,
      language: () => chosenLanguage(knownSettings().current.language, app.getLocale()),
      onPower: (onBattery) => events.push({ type: 'power', onBattery }),
    },
  );
  window = openWindow(
    { onPageGone: () => events.close(), mayClose: () => quitting.mayClose() },
    join(userData, 'window.json'),
  );
  // After the page: both would compete for the processor.
  window.webContents.once('dom-ready', () => core.start());
  // A new page missed earlier announcements.
  window.webContents.on('dom-ready', announceGiven);
  window.on('closed', () => {
    window = undefined;
  });
});

function makeOwnFolder(folder: string): unknown {
  try {
    mkdirSync(folder, PRIVATE_FOLDER);
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return failureAt(folder, 'DATA_FOLDER_UNWRITABLE', error);
  }
}

function refuse(message: string, detail: string, cleanUp?: () => void): void {
  process.stderr.write(`${message} ${detail}\n`);
  void dialog.showMessageBox({ type: 'error', message, detail }).then(() => {
    cleanUp?.();
    app.exit(1);
  });
}

function announceGiven(): void {
  if (opened.isWaiting) events.push({ type: 'command', command: 'open-given' });
}

function comeToFront(): void {
  if (window === undefined) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function knownSettings(): AppSettings {
  if (settings === undefined) throw new Error('the settings were asked for before the app was ready');
  return settings;
}

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
import { chosenLanguage, createTranslator } from '../shared/words/i18n.ts';
import { errorText } from '../shared/words/message-text.ts';
import { logCoreExit, setUpLog, withLoggedErrors } from './app-log.ts';
import { CoreProcess } from './core-process.ts';
import { confirmQuit, createDialogHandlers } from './requests/dialogs.ts';
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

/** How long quitting waits for a run to be stopped and cleaned up. */
const SHUT_DOWN_MS = 8_000;

// Chromium's own files stay out of the data that app and terminal share.
const userData = join(installation.dataDir, 'electron');
const unwritable = makeOwnFolder(userData);
// Chromium needs one even to say why there is none.
app.setPath(
  'userData',
  unwritable === undefined ? userData : mkdtempSync(join(tmpdir(), 'whalemark-start-')),
);
if (unwritable === undefined) setUpLog(app, installation.dataDir);
const isOnlyOne = becomeOnlyInstance(app, (file) => {
  given.give(file);
  comeToFront();
  announceGiven();
});
if (!isOnlyOne) app.exit();
declareScheme(protocol);
lockDownNetwork(app);
// eslint-disable-next-line no-restricted-syntax -- an address of the list in external-links.ts
lockDownApp(app, (address) => void shell.openExternal(address));

let window: BrowserWindow | undefined;
const given = new GivenFile();
let settings: AppSettings | undefined;
let companion: RunCompanion | undefined;

const core = new CoreProcess({
  fork: () =>
    utilityProcess.fork(paths.core, [JSON.stringify(installation)], {
      serviceName: 'whalemark-core',
      // Only what it says when it dies is of interest.
      stdio: ['ignore', 'inherit', 'pipe'],
    }),
  onEvent: (event) => {
    void companion?.see(event);
    events.push(event);
  },
  onExit: logCoreExit,
});
const askCore = core.request.bind(core);
// Each module says which requests are its own; here the compiler names those that nobody answers.
const handlers: MainHandlers = {
  ...createDialogHandlers(askCore, () => window),
  ...createDesktopHandlers(askCore, { given, dataDir: installation.dataDir }),
  ...createDiagnosticsHandlers(askCore, { ...installation, settings: () => knownSettings().current }),
  'settings:get': (params) => knownSettings().handlers['settings:get'](params),
  'settings:change': (params) => knownSettings().handlers['settings:change'](params),
};
const events = setUpIpc(() => window, withLoggedErrors(createRouter(askCore, handlers)));
const quitting = setUpQuit(app, {
  isRunGoingOn: () => companion?.isRunGoingOn ?? false,
  confirm: () => confirmQuit(window),
  shutDown: () => core.shutDown(SHUT_DOWN_MS),
});

receiveFiles(app, given, announceGiven);

void app.whenReady().then(() => {
  // The other one has been told; this one is about to end.
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
  // Here and not before: the system's language is only known to an app that is ready.
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
  // Not before: the two would take the processor from each other, and the page is what the user waits for.
  window.webContents.once('dom-ready', () => core.start());
  // A page that begins has missed what was announced before.
  window.webContents.on('dom-ready', announceGiven);
  window.on('closed', () => {
    window = undefined;
  });
});

/** Makes the app's own folder. The result is the error when it can't be written. */
function makeOwnFolder(folder: string): unknown {
  try {
    mkdirSync(folder, PRIVATE_FOLDER);
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return failureAt(folder, 'DATA_FOLDER_UNWRITABLE', error);
  }
}

/** Says why the app can't start, in a box and on stderr, and ends it with 1. No page is opened. */
function refuse(message: string, detail: string, cleanUp?: () => void): void {
  process.stderr.write(`${message} ${detail}\n`);
  void dialog.showMessageBox({ type: 'error', message, detail }).then(() => {
    cleanUp?.();
    app.exit(1);
  });
}

/** Tells the window that there is a file for it to ask for. */
function announceGiven(): void {
  if (given.isWaiting) events.push({ type: 'command', command: 'open-given' });
}

function comeToFront(): void {
  if (window === undefined) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** The page that asks is opened after the settings have been read. */
function knownSettings(): AppSettings {
  if (settings === undefined) throw new Error('the settings were asked for before the app was ready');
  return settings;
}

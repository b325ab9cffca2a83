import {
  app,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  utilityProcess,
  type BrowserWindow,
} from 'electron';
import { chosenLanguage } from '../shared/words/i18n.ts';
import { logCoreExit, setUpLog, withLoggedErrors } from './app-log.ts';
import { CoreProcess } from './core-process.ts';
import type { GivenFile } from './given-file.ts';
import { installation, paths } from './paths.ts';
import { setUpQuit } from './quit.ts';
import { createDesktopHandlers, createDiagnosticsHandlers, setUpSettings } from './requests/desktop.ts';
import { confirmQuit, createFileHandlers } from './requests/dialogs.ts';
import { createTaskHandlers } from './requests/own-task.ts';
import { createRouter, type MainHandlers } from './requests/router.ts';
import { RunCompanion } from './run-companion.ts';
import { setUpIpc } from './window/ipc.ts';
import { setUpContextMenu, setUpMenu } from './window/menu.ts';

const SHUT_DOWN_MS = 8_000;

export interface Services {
  pageGone(): void;
  mayClose(): boolean;
  announceGiven(): void;
}

export function startServices(window: () => BrowserWindow | undefined, opened: GivenFile): Services {
  let dropped = '';
  const core: CoreProcess = new CoreProcess({
    fork: () =>
      utilityProcess.fork(paths.core, [JSON.stringify(installation)], {
        serviceName: 'whalemark-core',
        stdio: ['ignore', 'inherit', 'pipe'],
      }),
    onEvent: (event) => {
      void companion.see(event);
      events.push(event);
    },
    onExit: logCoreExit,
  });
  const askCore = core.request.bind(core);
  const menu = (): void =>
    setUpMenu(process.platform, (command) => events.push({ type: 'command', command }));
  const settings = setUpSettings(installation.dataDir, (changed) => {
    menu();
    void askCore('core:settings', { settings: changed });
  });
  const companion = new RunCompanion(
    { Notification, powerMonitor, powerSaveBlocker },
    {
      window,
      notifies: () => settings.current.notify,
      language: () => chosenLanguage(settings.current.language, app.getLocale()),
      onPower: (onBattery) => events.push({ type: 'power', onBattery }),
    },
  );
  const handlers: MainHandlers = {
    ...createFileHandlers(askCore, window, () => dropped),
    ...createTaskHandlers(askCore, window, () => dropped),
    ...createDesktopHandlers(askCore, { opened, dataDir: installation.dataDir }),
    ...createDiagnosticsHandlers(askCore, { ...installation, settings: () => settings.current }),
    ...settings.handlers,
  };
  const events = setUpIpc(
    window,
    withLoggedErrors(createRouter(askCore, handlers)),
    (path) => (dropped = path),
  );
  const quitting = setUpQuit(app, {
    isRunGoingOn: () => companion.isRunGoingOn,
    confirm: () => confirmQuit(window()),
    shutDown: () => core.shutDown(SHUT_DOWN_MS),
  });
  menu();
  const shown = window();
  if (shown !== undefined) setUpContextMenu(shown.webContents);
  setUpLog(app, shown, installation.dataDir);
  core.start();
  return {
    pageGone: () => events.close(),
    mayClose: () => quitting.mayClose(),
    announceGiven: () => events.push({ type: 'command', command: 'open-given' }),
  };
}

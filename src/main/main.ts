import { accessSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, protocol, shell, type BrowserWindow } from 'electron';
import { PRIVATE_FOLDER } from '../benchmark/files/data-dir.ts';
import { becomeOnlyInstance, GivenFile, receiveFiles } from './given-file.ts';
import { installation, paths } from './paths.ts';
import type { Services } from './services.ts';
import { declareScheme, serveRenderer } from './window/protocol.ts';
import { isSandboxLost, lockDownApp, lockDownNetwork } from './window/security.ts';
import { openWindow } from './window/window.ts';

// Only imports for the window are here; the rest loads after the page's scripts.

const userData = join(installation.dataDir, 'electron');
const unwritable = makeOwnFolder(userData);
// Chromium needs a folder even to show an error.
app.setPath(
  'userData',
  unwritable === undefined ? userData : mkdtempSync(join(tmpdir(), 'whalemark-start-')),
);
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
let services: Services | undefined;
let loading: Promise<void> | undefined;
const opened = new GivenFile();
receiveFiles(app, opened, announceGiven);

void app.whenReady().then(async () => {
  if (!isOnlyOne) return;
  if (unwritable !== undefined || isSandboxLost(app, process.env)) {
    const { refuse } = await import('./refusal.ts');
    return refuse(unwritable && { folder: userData, ...unwritable });
  }
  serveRenderer(protocol, paths.renderer, loadServices);
  window = openWindow(
    { onPageGone: () => services?.pageGone(), mayClose: () => services?.mayClose() ?? true },
    join(userData, 'window.json'),
  );
  // A new page missed earlier announcements.
  window.webContents.on('dom-ready', announceGiven);
  window.on('closed', () => {
    window = undefined;
  });
});

function loadServices(): void {
  loading ??= import('./services.ts').then(({ startServices }) => {
    services = startServices(() => window, opened);
    announceGiven();
  });
}

function makeOwnFolder(folder: string): { reason: unknown } | undefined {
  try {
    mkdirSync(folder, PRIVATE_FOLDER);
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (reason) {
    return { reason };
  }
}

function announceGiven(): void {
  if (opened.isWaiting) services?.announceGiven();
}

function comeToFront(): void {
  if (window === undefined) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

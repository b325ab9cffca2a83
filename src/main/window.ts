import { BrowserWindow, nativeTheme } from 'electron';
import { paths } from './paths.ts';
import { APP_ORIGIN } from './security.ts';

export interface WindowHooks {
  /** The page is gone (reload or crash): events must wait for the next one. */
  onPageGone(): void;
  /** The user closes the window; return true to let it close. */
  mayClose(): boolean;
}

/** Opens the one window. It is shown when its first picture is ready, so that nothing flashes. */
export function openWindow(hooks: WindowHooks): BrowserWindow {
  const window = new BrowserWindow({
    width: 1240,
    height: 820,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Whalemark',
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0e1518' : '#f5f8f9',
    webPreferences: {
      preload: paths.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      // Charts must keep up while another window is in front.
      backgroundThrottling: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    if (!hooks.mayClose()) event.preventDefault();
  });
  window.webContents.on('did-start-loading', hooks.onPageGone);
  window.webContents.on('render-process-gone', (_, { reason }) => {
    hooks.onPageGone();
    if (reason !== 'clean-exit') void loadPage(window);
  });
  void loadPage(window);
  return window;
}

function loadPage(window: BrowserWindow): Promise<void> {
  return window.loadURL(`${APP_ORIGIN}/`);
}

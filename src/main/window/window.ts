import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { setUpContextMenu } from './context-menu.ts';
import { paths } from '../paths.ts';
import { APP_ORIGIN, WEB_PREFERENCES } from './security.ts';
import { MINIMUM_SIZE, placementFor, readWindowState, writeWindowState } from './window-state.ts';

export interface WindowHooks {
  /** The page is gone (reload or crash): events must wait for the next one. */
  onPageGone(): void;
  /** The user closes the window; return true to let it close. */
  mayClose(): boolean;
}

/**
 * Opens the one window, where it was last; `stateFile` remembers that. It is shown when its first picture is ready, so
 * that nothing flashes.
 */
export function openWindow(hooks: WindowHooks, stateFile: string): BrowserWindow {
  const saved = readWindowState(stateFile);
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  // eslint-disable-next-line no-restricted-syntax -- the one window
  const window = new BrowserWindow({
    ...placementFor(
      saved,
      [primary, ...others].map(({ workArea }) => workArea),
    ),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    title: 'Whalemark',
    autoHideMenuBar: true,
    backgroundColor: background(),
    webPreferences: {
      ...WEB_PREFERENCES,
      preload: paths.preload,
      // Who is told to open them and to paste something there can be robbed; developers run the app from its source.
      devTools: !app.isPackaged,
      // Charts must keep up while another window is in front.
      backgroundThrottling: false,
    },
  });
  if (saved?.maximised === true) window.maximize();
  setUpContextMenu(window.webContents);
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(background());
  });
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    // Here, and not when it has closed: by then nothing can be asked of it.
    writeWindowState(stateFile, { bounds: window.getNormalBounds(), maximised: window.isMaximized() });
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

/** What shows before the page does, and beside it while the window grows: the page's own `--bg`. */
function background(): string {
  return nativeTheme.shouldUseDarkColors ? '#0e1518' : '#f4f7f8';
}

function loadPage(window: BrowserWindow): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- the app’s own page
  return window.loadURL(`${APP_ORIGIN}/`);
}

import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { paths } from '../paths.ts';
import { APP_ORIGIN, WEB_PREFERENCES } from './security.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../benchmark/files/data-dir.ts';

interface WindowHooks {
  onPageGone(): void;
  mayClose(): boolean;
}

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
      // People can be tricked into pasting code there.
      devTools: !app.isPackaged,
      // Charts also keep up in the background.
      backgroundThrottling: false,
    },
  });
  if (saved?.maximised === true) window.maximize();
  nativeTheme.on('updated', () => {
    if (!window.isDestroyed()) window.setBackgroundColor(background());
  });
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
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

function background(): string {
  return nativeTheme.shouldUseDarkColors ? '#0e1518' : '#f4f7f8';
}

function loadPage(window: BrowserWindow): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- the app’s own page
  return window.loadURL(`${APP_ORIGIN}/`);
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowState {
  bounds: Rectangle;
  maximised: boolean;
}

const MINIMUM_SIZE = { width: 640, height: 480 };
export const FIRST_SIZE = { width: 1240, height: 820 };
const GRIP = { width: 100, height: 30 };

type Placement = { width: number; height: number; x?: number; y?: number };

/** The system places a window whose title bar would be on no display. */
export function placementFor(saved: WindowState | undefined, workAreas: readonly Rectangle[]): Placement {
  const wanted = saved?.bounds;
  const on = wanted === undefined ? undefined : workAreas.find((area) => canBeGripped(wanted, area));
  const area = on ?? workAreas[0];
  const { width, height } = wanted ?? FIRST_SIZE;
  const size = {
    width: Math.max(MINIMUM_SIZE.width, Math.min(width, area?.width ?? width)),
    height: Math.max(MINIMUM_SIZE.height, Math.min(height, area?.height ?? height)),
  };
  return on === undefined || wanted === undefined ? size : { ...size, x: wanted.x, y: wanted.y };
}

function canBeGripped({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const visible = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return visible >= GRIP.width && y >= area.y && y + GRIP.height <= area.y + area.height;
}

export function readWindowState(path: string): WindowState | undefined {
  try {
    const { bounds, maximised } = JSON.parse(readFileSync(path, 'utf8')) as WindowState;
    const { x, y, width, height } = bounds;
    const isPlace = [x, y, width, height].every(Number.isInteger) && width > 0 && height > 0;
    return isPlace && typeof maximised === 'boolean'
      ? { bounds: { x, y, width, height }, maximised }
      : undefined;
  } catch {
    return undefined;
  }
}

export function writeWindowState(path: string, state: WindowState): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(state)}\n`, { mode: PRIVATE_FILE });
  } catch {
    return;
  }
}

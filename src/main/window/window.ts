import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { setUpContextMenu } from './menu.ts';
import { paths } from '../paths.ts';
import { APP_ORIGIN, WEB_PREFERENCES } from './security.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../benchmark/files/data-dir.ts';
import * as z from 'zod';

interface WindowHooks {
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

/** In device-independent pixels. */
const rectangleSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
});
type Rectangle = z.infer<typeof rectangleSchema>;

/** Where the window was when it was closed. */
const windowStateSchema = z.object({
  /** Of the window when it is not maximised. */
  bounds: rectangleSchema,
  maximised: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

const MINIMUM_SIZE = { width: 640, height: 480 };
export const FIRST_SIZE = { width: 1240, height: 820 };
/** As much of the title bar as one needs to take hold of a window. */
const GRIP = { width: 100, height: 30 };

/** Size and, if the window was somewhere where it still can be seen, position. */
type Placement = { width: number; height: number; x?: number; y?: number };

/**
 * Where to open the window. Displays come and go: a window whose title bar would be on none of them is placed by the
 * system, and it is never larger than the work area of the display that it is on, nor smaller than it can be used.
 */
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

/** Undefined when there is none, or none that can be read. */
export function readWindowState(path: string): WindowState | undefined {
  try {
    return windowStateSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Never throws: a window that opens elsewhere next time is no reason to bother anybody. */
export function writeWindowState(path: string, state: WindowState): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(state)}\n`, { mode: PRIVATE_FILE });
  } catch {
    return;
  }
}

import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { giveToNobody, IS_SANDBOXED, sandboxedStart } from './sandboxed.ts';

const root = join(import.meta.dirname, '..', '..', '..');

export interface RunningApp {
  app: ElectronApplication;
  page: Page;
  /** The data folder: runs and settings. */
  home: string;
}

export interface StartOptions {
  /** The app's folder. */
  folder: string;
  /** The data folder. */
  home: string;
  env?: Record<string, string>;
  /** Further arguments. */
  args?: string[];
  /** Chromium's sandbox is on; root starts the app as another user. */
  sandboxed?: boolean;
}

/** Starts the app; it is usable as soon as its page has loaded. */
export async function startApp({
  folder,
  home,
  env = {},
  args = [],
  sandboxed = IS_SANDBOXED,
}: StartOptions): Promise<RunningApp> {
  const start = sandboxed ? sandboxedStart(folder) : { folder };
  if (sandboxed) giveToNobody(home);
  const app = await _electron.launch({
    cwd: root,
    chromiumSandbox: sandboxed,
    ...start,
    args: [start.folder, '--disable-gpu', ...args],
    env: { ...ownEnvironment(), WHALEMARK_HOME: home, ...env },
  });
  const page = await app.firstWindow();
  await page.waitForLoadState();
  return { app, page, home };
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

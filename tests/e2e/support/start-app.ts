import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

const root = join(import.meta.dirname, '..', '..', '..');

export interface RunningApp {
  app: ElectronApplication;
  page: Page;
  /** What the app keeps: runs, settings. */
  home: string;
}

export interface StartOptions {
  /** Folder of the app. */
  folder: string;
  /** Data folder. */
  home: string;
  env?: Record<string, string>;
  /** Further arguments. */
  args?: string[];
  /** Another program than Electron's own, which starts it. */
  executablePath?: string;
}

/** Starts the app; it is usable as soon as its page has loaded. */
export async function startApp({
  folder,
  home,
  env = {},
  args = [],
  executablePath,
}: StartOptions): Promise<RunningApp> {
  const app = await _electron.launch({
    cwd: root,
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [folder, '--disable-gpu', ...args],
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

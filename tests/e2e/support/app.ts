import { join } from 'node:path';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { appCopyWith, removeAppCopy } from './app-copy.ts';
import { closeApp } from './close-app.ts';
import { newFolder, removeFolders } from './folders.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Tag of tests with the whole app, which uses the engine. Tests without it have the fake measuring process. */
export const ENGINE = '@engine';

export interface RunningApp {
  app: ElectronApplication;
  page: Page;
  /** What the app keeps: runs, settings. */
  home: string;
}

export interface LaunchOptions {
  /** Folder of the app; default: this repository, built. */
  folder?: string;
  /** Data folder, of an app started before in this test; default: a new one. */
  home?: string;
  env?: Record<string, string>;
  /** Further arguments. */
  args?: string[];
  /** Another program than Electron's own, which starts it. */
  executablePath?: string;
}

interface Fixtures {
  /** Takes away the folders that the test made. */
  folders: undefined;
  /** Starts the app with a data folder of its own; it is closed at the end of the test, whatever happens. */
  launch: (options?: LaunchOptions) => Promise<RunningApp>;
}
interface WorkerFixtures {
  /** Folder of the app whose measuring process is the fake one. */
  fakeApp: string;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  fakeApp: [
    async ({}, use) => {
      const folder = await appCopyWith(/^.*\/benchmark\/core\/core\.ts$/, 'tests/fake/core-entry.ts');
      await use(folder);
      removeAppCopy(folder);
    },
    { scope: 'worker' },
  ],
  folders: [
    async ({}, use) => {
      await use(undefined);
      removeFolders();
    },
    { auto: true },
  ],
  launch: async ({}, use, info) => {
    const running: (RunningApp & { child: ReturnType<ElectronApplication['process']> })[] = [];
    await use(async ({ folder = '.', env = {}, args = [], home = newFolder('e2e'), executablePath } = {}) => {
      // It uses the engine, and sweeps it: whoever runs the tests without the tag must be able to trust that none does.
      if (folder === '.' && !info.tags.includes(ENGINE)) throw new Error(`needs the tag ${ENGINE}`);
      const app = await _electron.launch({
        cwd: root,
        ...(executablePath === undefined ? {} : { executablePath }),
        args: [folder, '--disable-gpu', ...args],
        // No test asks the network for releases.
        env: { ...ownEnvironment(), WHALEMARK_HOME: home, WHALEMARK_RELEASES: 'off', ...env },
      });
      await app.context().tracing.start({ screenshots: true, snapshots: true });
      const page = await app.firstWindow();
      // Asked now: Playwright knows no process any more once the app has gone.
      const started = { app, page, home, child: app.process() };
      running.push(started);
      await page.waitForLoadState();
      return started;
    });
    for (const [index, { app, child }] of running.entries()) {
      const failed = info.status !== info.expectedStatus;
      const path = failed ? info.outputPath(`trace-${index}.zip`) : undefined;
      // A test may have closed the app itself, or killed it.
      if (child.exitCode === null && child.signalCode === null) {
        await app
          .context()
          .tracing.stop(path === undefined ? {} : { path })
          .catch(() => undefined);
        await closeApp(app);
      }
    }
  },
});
export { expect } from '@playwright/test';

/** Answers the next "save" dialogs with files of this folder, named as suggested. */
export async function saveDialogsTo(app: ElectronApplication, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, target) => {
    dialog.showSaveDialog = ((...args: unknown[]) => {
      const options = args.at(-1) as { defaultPath: string };
      return Promise.resolve({ canceled: false, filePath: `${target}/${options.defaultPath}` });
    }) as typeof dialog.showSaveDialog;
  }, folder);
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

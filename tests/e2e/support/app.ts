import { test as base, type ElectronApplication, type TestInfo } from '@playwright/test';
import { fakeAppCopy } from './app-copy.ts';
import { closeApp } from './close-app.ts';
import { FakeWindowKeeper, type FakeStart, type FakeWindow } from './fake-window.ts';
import { newFolder, removeFolders } from './folders.ts';
import { startApp, type RunningApp, type StartOptions } from './start-app.ts';

/** Tag of tests with the whole app, which uses the engine. Tests without it have the fake measuring process. */
export const ENGINE = '@engine';
/** Tag of tests that only the full run has. */
export const FULL = '@full';

interface Fixtures {
  /** Takes away the folders that the test made. */
  folders: undefined;
  /**
   * The window of an app with the fake core, as new. All tests share the app, which makes them fast: a test
   * that restarts, ends, or kills it, or reads what it was started with, makes its own by `launch`.
   */
  openFake: (start?: FakeStart) => Promise<FakeWindow>;
  /**
   * Starts an app of this test's own; it is closed at the end of the test, whatever happens. The folder is this
   * repository if none is named, the data folder a new one.
   */
  launch: (options?: Partial<StartOptions>) => Promise<RunningApp>;
}
interface WorkerFixtures {
  /** Folder of the app whose measuring process is the fake one. */
  fakeApp: string;
  fakeWindow: FakeWindowKeeper;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  fakeApp: [async ({}, use) => use(await fakeAppCopy()), { scope: 'worker' }],
  fakeWindow: [
    async ({ fakeApp }, use) => {
      const keeper = new FakeWindowKeeper(fakeApp);
      await use(keeper);
      await keeper.close();
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
  openFake: async ({ fakeWindow }, use, info) => {
    let opened: FakeWindow | undefined;
    await use(async (start) => {
      opened = await fakeWindow.open(start);
      await startTrace(opened);
      return opened;
    });
    if (opened !== undefined) await keepEvidence(opened, info, 'shared');
  },
  launch: async ({}, use, info) => {
    const running: (RunningApp & { child: ReturnType<ElectronApplication['process']> })[] = [];
    await use(async ({ folder = '.', home = newFolder('e2e'), ...options } = {}) => {
      // This app uses the engine and sweeps it, which no test without the tag may do.
      if (folder === '.' && !info.tags.includes(ENGINE)) throw new Error(`needs the tag ${ENGINE}`);
      const started = await startApp({ folder, home, ...options });
      // The process is asked for now, because Playwright knows none once the app has gone.
      running.push({ ...started, child: started.app.process() });
      await startTrace(started);
      return started;
    });
    for (const [index, one] of running.entries()) {
      // A test may have closed the app itself, or killed it.
      if (one.child.exitCode !== null || one.child.signalCode !== null) continue;
      await keepEvidence(one, info, String(index));
      await closeApp(one.app);
    }
  },
});
export { expect } from '@playwright/test';

/**
 * Traces cost about as much as the tests themselves. WHALEMARK_TEST_TRACE=1 has one of each test that fails, for
 * `npx playwright show-trace`.
 */
const TRACES = process.env['WHALEMARK_TEST_TRACE'] === '1';

async function startTrace({ app }: RunningApp): Promise<void> {
  if (TRACES) await app.context().tracing.start({ screenshots: true, snapshots: true });
}

/** Keeps and prints what the window of a failed test shows, and its trace if one was asked for. */
async function keepEvidence({ app, page }: RunningApp, info: TestInfo, name: string): Promise<void> {
  const failed = info.status !== info.expectedStatus;
  if (failed) {
    await page.screenshot({ path: info.outputPath(`${name}.png`), timeout: 5_000 }).catch(() => undefined);
    const shown = await page
      .locator('body')
      .innerText({ timeout: 5_000 })
      .catch(() => 'nothing');
    process.stdout.write(`The window of a test that failed showed:\n${shown}\n`);
  }
  if (!TRACES) return;
  const path = failed ? info.outputPath(`trace-${name}.zip`) : undefined;
  await app
    .context()
    .tracing.stop(path === undefined ? {} : { path })
    .catch(() => undefined);
}

/** Answers the next "save" dialogs with files of this folder, named as suggested. */
export async function saveDialogsTo(app: ElectronApplication, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, target) => {
    dialog.showSaveDialog = ((...args: unknown[]) => {
      const options = args.at(-1) as { defaultPath: string };
      return Promise.resolve({ canceled: false, filePath: `${target}/${options.defaultPath}` });
    }) as typeof dialog.showSaveDialog;
  }, folder);
}

import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type ElectronApplication, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerOf } from '../../src/main/window/protocol.ts';
import type { AppEvent } from '../../src/shared/contract/ipc.ts';
import { PLAIN, type FakeBehavior } from '../fake/behavior.ts';
import type { FakeStart } from '../e2e/support/fake-window.ts';
import { removeFolders } from '../e2e/support/folders.ts';
import { history } from '../e2e/support/routes/history.ts';
import { house } from '../e2e/support/routes/house.ts';
import { plansAndRuns } from '../e2e/support/routes/plans-and-runs.ts';
import { presets } from '../e2e/support/routes/presets.ts';
import { results } from '../e2e/support/routes/results.ts';
import { wizard } from '../e2e/support/routes/wizard.ts';
import { visitOf } from '../e2e/support/visit.ts';
import { assetsFolder, removeAssets } from '../renderer/support/assets.ts';
import { shell } from '../renderer/support/electron.ts';
import { startMain } from '../renderer/support/fake-main.ts';

/*
 * The built page in a current Chromium, near to the one of the Electron that users get, with main's own answers and the fake core
 * behind it. Main serves the files, with their policy, under an address that a browser takes.
 */

const PAGES = join(import.meta.dirname, '../../out/renderer');
const ORIGIN = 'https://whalemark.invalid';
const ROUTES = [plansAndRuns, results, presets, wizard, history, house];
/** The door that preload makes, here of two functions that Playwright gives the page. */
const DOOR = `{
  const listeners = new Set();
  window.toPage = (event) => { for (const one of listeners) one(event); };
  window.whalemark = {
    request: (name, params) => window.toMain(name, params),
    onEvent: (listener) => { listeners.add(listener); void window.pageListens(); return () => listeners.delete(listener); },
  };
}`;

let browser: Browser;
beforeAll(async () => {
  if (!existsSync(join(PAGES, 'index.html'))) throw new Error('Build first: npm run build');
  // The licenses of the packages that were really bundled.
  copyFileSync(join(PAGES, '../assets/licenses.json'), join(assetsFolder(), 'licenses.json'));
  browser = await chromium.launch({
    executablePath: process.env['WHALEMARK_TEST_CHROMIUM'] ?? 'chromium',
    // Chromium has no sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
}, 60_000);
afterAll(async () => {
  await browser.close();
  removeAssets();
  removeFolders();
});

it('the browser is newer than the one of the other tests', () => {
  expect(Number.parseInt(browser.version(), 10)).toBeGreaterThan(108);
});

for (const { name, start, visitors } of ROUTES) {
  it(`${name}: every screen is shown, without an error in the console`, async () => {
    const { page, become, tell, complaints, close } = await open(start());
    page.setDefaultTimeout(20_000);
    try {
      // Visitors take the machine off the mains, and its trash away.
      const electron = { shell, powerMonitor: { emit: () => tell({ type: 'power', onBattery: true }) } };
      const app = {
        evaluate: (inMain: (modules: unknown) => unknown) => Promise.resolve(inMain(electron)),
      } as unknown as ElectronApplication;
      const visit = visitOf({ app, page, home: '', become }, 'en');
      for (const visitor of visitors) {
        await visitor.go(visit).catch((error: unknown) => {
          throw new Error(`${visitor.name}: ${complaints.join('; ')}`, { cause: error });
        });
      }
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  }, 120_000);
}

const tellPage = (event: AppEvent): void =>
  (globalThis as unknown as { toPage: (event: AppEvent) => void }).toPage(event);

async function open({ settings = {}, prepare, ...start }: FakeStart) {
  const home = mkdtempSync(join(tmpdir(), 'whalemark-chromium-'));
  prepare?.(home);
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ language: 'en', ...settings }));
  const behavior = { ...PLAIN, pace: 0, ...start } as FakeBehavior;
  const main = startMain({ home, behavior: () => behavior });
  const context = await browser.newContext({
    viewport: { width: 1240, height: 820 },
    reducedMotion: 'reduce',
  });
  const page: Page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.exposeFunction('toMain', main.api.request);
  await page.exposeFunction('pageListens', () => {
    main.api.onEvent((event) => {
      page.evaluate(tellPage, event).catch((error: unknown) => complaints.push(String(error)));
    });
  });
  await page.addInitScript(DOOR);
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    if (!url.startsWith(`${ORIGIN}/`)) return route.abort();
    const path = url.slice(ORIGIN.length);
    const {
      statusCode = 500,
      headers = {},
      data,
    } = await answerOf({ url: `app://whalemark${path}`, method: 'GET' }, PAGES);
    return route.fulfill({
      status: statusCode,
      headers: headers as Record<string, string>,
      body: data as Buffer,
    });
  });
  await page.goto(`${ORIGIN}/index.html`);
  return {
    page,
    complaints,
    tell: main.tell,
    become: ({ pace, ...more }: Partial<FakeStart>) => {
      // A trial must not be over before a visitor has looked at it.
      Object.assign(behavior, more, pace === undefined ? {} : { pace: 5 * pace });
      return Promise.resolve();
    },
    close: async () => {
      main.close();
      await context.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type CDPSession, type ElectronApplication, type Page } from '@playwright/test';
import type { WhalemarkApi } from '../../src/shared/contract/ipc.ts';
import { closeApp } from '../../tests/e2e/support/close-app.ts';
import { t } from '../../tests/helpers/words.ts';
import { descendants, type Process } from './processes.ts';

const ANSWER_MS = 120_000;

interface InPage {
  whalemark: WhalemarkApi;
  soaked: Record<string, number>;
}

/** Runs in the page: counts the measured windows that come, by trial. */
function countWindows(): void {
  const inPage = globalThis as unknown as InPage;
  inPage.soaked = {};
  inPage.whalemark.onEvent((event) => {
    if (event.type !== 'run-event' || event.event.type !== 'window') return;
    if (event.event.window.phase !== 'measure') return;
    const id = event.event.trialId;
    inPage.soaked[id] = (inPage.soaked[id] ?? 0) + 1;
  });
}

/** Runs in the page: the counts so far, which begin again. */
function takeCounts(): Record<string, number> {
  const inPage = globalThis as unknown as InPage;
  const counts = inPage.soaked;
  inPage.soaked = {};
  return counts;
}

/**
 * The built app in a real window, driven by its buttons, with a data folder, kept tables, and temporary files of its
 * own.
 */
export class App {
  readonly #app: ElectronApplication;
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(app: ElectronApplication, page: Page, session: CDPSession) {
    this.#app = app;
    this.page = page;
    this.#session = session;
  }

  static async launch(home: string): Promise<App> {
    const own = Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined);
    for (const folder of ['tmp', 'datasets']) mkdirSync(join(home, folder), { recursive: true });
    const env = {
      ...Object.fromEntries(own),
      WHALEMARK_HOME: home,
      WHALEMARK_DATASETS: join(home, 'datasets'),
      TMPDIR: join(home, 'tmp'),
    };
    const app = await _electron.launch({ args: ['.', '--disable-gpu'], env });
    const page = await app.firstWindow();
    await page.getByRole('region', { name: t('passport.title') }).waitFor({ timeout: ANSWER_MS });
    await page.evaluate(countWindows);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    return new App(app, page, session);
  }

  /** Begins a run of a preset of the data folder by its name; the journal tells how it continues. */
  async start(name: string): Promise<void> {
    const closed = this.page.locator('details:not([open]):has(li.preset) > summary');
    await this.page.locator('li.preset').first().waitFor({ state: 'attached', timeout: ANSWER_MS });
    while ((await closed.count()) > 0) await closed.first().click();
    const heading = this.page.getByRole('heading', { name, exact: true });
    const card = this.page.locator('li.preset', { has: heading });
    await card.getByText(t('presets.open'), { exact: true }).click();
    await this.page.getByRole('button', { name: t('plan.start'), exact: true }).click({ timeout: ANSWER_MS });
  }

  /** Waits until the run that has ended is shown as such, and the next one can be started. */
  async settle(): Promise<void> {
    const button = (key: 'live.stop' | 'app.home') =>
      this.page.getByRole('button', { name: t(key), exact: true });
    await button('live.stop').waitFor({ state: 'hidden', timeout: ANSWER_MS });
    await button('app.home').click();
    await this.page.getByRole('heading', { level: 1, name: t('home.title') }).waitFor();
  }

  /** The app's processes that live now; Chromium doesn't list those with the role `helper`. */
  async processes(): Promise<Process[]> {
    const metrics = await this.#app.evaluate(({ app }) =>
      app.getAppMetrics().map(({ pid, type, name, serviceName }) => ({
        pid,
        type: String(type),
        name: `${name ?? ''} ${serviceName ?? ''}`,
      })),
    );
    const told = metrics.flatMap(({ pid, type, name }): Process[] => {
      if (type === 'Browser') return [{ role: 'main', pid }];
      if (type === 'Tab') return [{ role: 'renderer', pid }];
      if (type === 'GPU') return [{ role: 'gpu', pid }];
      if (type !== 'Utility') return [];
      return [{ role: /network/i.test(name) ? 'network' : 'core', pid }];
    });
    const others = told
      .filter(({ role }) => role === 'main')
      .flatMap(({ pid }) => descendants(pid))
      .filter((pid) => !told.some((one) => one.pid === pid));
    return [...told, ...others.map((pid) => ({ role: 'helper', pid }))];
  }

  /** Figures of the app itself after garbage collection: MiB of heaps, numbers of objects. */
  async inside(): Promise<Record<string, number>> {
    await this.#session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? NaN;
    const main = await this.#app.evaluate(() => process.memoryUsage().heapUsed);
    return {
      'renderer’s heap, MiB': metric('JSHeapUsedSize') / 2 ** 20,
      'main’s heap, MiB': main / 2 ** 20,
      'DOM nodes': metric('Nodes'),
      'event listeners': metric('JSEventListeners'),
    };
  }

  /** How many measured windows came to the page since the last call, by trial. */
  arrived(): Promise<Record<string, number>> {
    return this.page.evaluate(takeCounts);
  }

  close(): Promise<void> {
    return closeApp(this.#app);
  }
}

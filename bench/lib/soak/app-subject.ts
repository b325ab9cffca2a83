import { _electron, type CDPSession, type ElectronApplication, type Page } from '@playwright/test';
import type { WhalemarkApi } from '../../../src/shared/contract/ipc.ts';
import { closeApp } from '../../../tests/e2e/support/close-app.ts';
import { environmentOf, type Subject } from './subject.ts';

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

/** The app in a real window, driven by its buttons. */
export class AppSubject implements Subject {
  readonly #app: ElectronApplication;
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(app: ElectronApplication, page: Page, session: CDPSession) {
    this.#app = app;
    this.#page = page;
    this.#session = session;
  }

  static async launch(home: string): Promise<AppSubject> {
    const app = await _electron.launch({ args: ['.', '--disable-gpu'], env: environmentOf(home) });
    const page = await app.firstWindow();
    await page.getByRole('region', { name: 'Docker environment' }).waitFor({ timeout: ANSWER_MS });
    await page.evaluate(countWindows);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    return new AppSubject(app, page, session);
  }

  async start(presetId: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Open ${presetId}`, exact: true }).click();
    await this.#page.getByRole('button', { name: 'Start', exact: true }).click({ timeout: ANSWER_MS });
  }

  async stop(): Promise<void> {
    // A run that has just ended has no such button any more.
    await this.#page
      .getByRole('button', { name: 'Stop', exact: true })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
  }

  async settle(): Promise<void> {
    await this.#page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'hidden', timeout: ANSWER_MS });
    await this.#page.getByRole('button', { name: 'Whalemark', exact: true }).click();
    await this.#page.getByRole('heading', { level: 1, name: 'What does Docker cost' }).waitFor();
  }

  async processes(): Promise<{ role: string; pid: number }[]> {
    const all = await this.#app.evaluate(({ app }) =>
      app.getAppMetrics().map(({ pid, type, name, serviceName }) => ({
        pid,
        type: String(type),
        name: `${name ?? ''} ${serviceName ?? ''}`,
      })),
    );
    return all.flatMap(({ pid, type, name }) => {
      if (type === 'Browser') return [{ role: 'main', pid }];
      if (type === 'Tab') return [{ role: 'renderer', pid }];
      if (type === 'GPU') return [{ role: 'gpu', pid }];
      if (type !== 'Utility') return [];
      return [{ role: /network/i.test(name) ? 'network' : 'core', pid }];
    });
  }

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

  arrived(): Promise<Record<string, number>> {
    return this.#page.evaluate(takeCounts);
  }

  close(): Promise<void> {
    return closeApp(this.#app);
  }
}
